export const BUILD_INFO = 'build-info.json';

/** What `build-info.json` tells about a release. A release's manifest has all of it. */
interface ReleaseFacts {
  readonly id: string;
  readonly publishedAt: string;
  readonly catalogueHash: string;
  readonly products: Readonly<Record<string, unknown>>;
  readonly files: Readonly<Record<string, unknown>>;
  readonly dictionary?: string | undefined;
}

const textOf = (facts: Readonly<Record<string, unknown>>, dictionary: string | undefined): string =>
  `${JSON.stringify({ ...facts, ...(dictionary === undefined ? {} : { dictionary: `/${dictionary}` }) })}\n`;

/** `build-info.json`: read at run time, so that no page depends on it. */
export const buildInfo = (release: ReleaseFacts): string =>
  textOf(
    {
      release: release.id,
      publishedAt: release.publishedAt,
      catalogueHash: release.catalogueHash,
      products: Object.keys(release.products).length,
      pages: Object.keys(release.files).filter((file) => file.endsWith('.html')).length,
    },
    release.dictionary,
  );

/** The same of a site that was only built. */
export const unpublishedInfo = (dictionary?: string): string => textOf({}, dictionary);
