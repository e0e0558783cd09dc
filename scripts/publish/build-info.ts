import type { Manifest } from './manifest.ts';

export const BUILD_INFO = 'build-info.json';

/** `build-info.json`: read at run time, so that no page depends on it. */
export const buildInfo = ({ id, publishedAt, catalogueHash, products, files }: Manifest): string =>
  `${JSON.stringify({
    release: id,
    publishedAt,
    catalogueHash,
    products: Object.keys(products).length,
    pages: Object.keys(files).filter((file) => file.endsWith('.html')).length,
  })}\n`;
