import { join } from 'node:path';

const IMAGE_NAME = /^[\w-]+(?:\.[\w-]+)*\.(?:webp|png|jpe?g|avif)$/;

/** Whether it is a picture's plain file name, which cannot lead out of its folder. */
export const isImageName = (name: string): boolean => name.length <= 200 && IMAGE_NAME.test(name);

export const artFolder = (catalogue: string): string => join(catalogue, 'art');
