/** Outlives builds; what is in it may be deleted at any time. */
export const IMAGE_CACHE = '.cache/images';

/** Where the variants are served, named by their content. */
export const PICTURES_PATH = '/_astro/img/';
