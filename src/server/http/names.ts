const IMAGE_NAME = /^[\w-]+(?:\.[\w-]+)*\.(?:webp|png|jpe?g|avif)$/;

/** Whether `name` is the plain file name of an image. Such a name cannot lead out of its folder. */
export const isImageName = (name: string): boolean => name.length <= 200 && IMAGE_NAME.test(name);

/** Beside people's files: of macOS (`._mango.jpg` for each), Windows, file servers, and of documents that are open. */
const SYSTEM_FILE =
  /^(?:\..*|~\$.*|__macosx|(?:eh)?thumbs(?:_vista)?\.db.*|desktop\.ini|icon\r|@eadir.*|\$recycle\.bin|system volume information)$/i;

/** Whether a system puts such a file into folders and archives by itself, and nobody has chosen it. */
export const isSystemFile = (name: string): boolean => SYSTEM_FILE.test(name);

/** Whether an image is at another host instead of a file of the shop. */
export const isRemote = (picture: string): boolean => /^https?:\/\//.test(picture);

/** Names through which a value could reach an object's prototype. */
const RESERVED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export const isReserved = (name: string): boolean => RESERVED.has(name);
