const IMAGE_NAME = /^[\w-]+(?:\.[\w-]+)*\.(?:webp|png|jpe?g|avif)$/;

/** Whether `name` is the plain file name of an image. Such a name cannot lead out of its folder. */
export const isImageName = (name: string): boolean => name.length <= 200 && IMAGE_NAME.test(name);

/** Whether an image is at another host instead of a file of the shop. */
export const isRemote = (picture: string): boolean => /^https?:\/\//.test(picture);

/** Names through which a value could reach an object's prototype. */
const RESERVED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export const isReserved = (name: string): boolean => RESERVED.has(name);
