/** A folder that is kept between builds. Its files may be deleted at any time. */
export const IMAGE_CACHE = '.cache/images';

/** The path of the variants on the site. Their names are hashes of their content. */
export const PICTURES_PATH = '/_astro/img/';
