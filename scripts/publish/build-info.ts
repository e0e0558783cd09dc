export const BUILD_INFO = 'build-info.json';

/** What `build-info.json` tells about a release. A release's manifest has all of it. */
interface ReleaseFacts {
  readonly id: string;
  readonly publishedAt: string;
  readonly catalogueHash: string;
  readonly products: Readonly<Record<string, unknown>>;
  readonly files: Readonly<Record<string, unknown>>;
}

/** `build-info.json`: read at run time, so that no page depends on it. */
export const buildInfo = ({ id, publishedAt, catalogueHash, products, files }: ReleaseFacts): string =>
  `${JSON.stringify({
    release: id,
    publishedAt,
    catalogueHash,
    products: Object.keys(products).length,
    pages: Object.keys(files).filter((file) => file.endsWith('.html')).length,
  })}\n`;
