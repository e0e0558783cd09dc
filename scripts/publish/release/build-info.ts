export const BUILD_INFO = 'build-info.json';

/** The parts of a release's manifest that `build-info.json` needs. */
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

/** The text of `build-info.json`. Pages read it at run time, so that no built page depends on the release. */
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

/** The text of `build-info.json` for a site that is only built, not published. */
export const unpublishedInfo = (dictionary?: string): string => textOf({}, dictionary);
