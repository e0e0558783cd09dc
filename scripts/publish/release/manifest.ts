import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { BuildError } from '#scripts/program/explained-error.ts';
import { listFiles } from '#scripts/publish/site/built-pages.ts';

const ProductRecord = v.object({ name: v.string(), price: v.number(), hash: v.string() });

const CatalogueReport = v.object({
  hash: v.string(),
  shop: v.string(),
  /** Hashes of the store record's parts. Releases of earlier versions have none. */
  store: v.optional(v.record(v.string(), v.string())),
  products: v.record(v.string(), ProductRecord),
  /** The address of the shop. Releases of earlier versions do not name it. */
  siteUrl: v.optional(v.string()),
  /** A hash of the order of the products' ids. Releases of earlier versions have none. */
  order: v.optional(v.string()),
  /** How many broken products were left out. */
  dropped: v.number(),
  /** The offers of the API that the site was built with. Releases of earlier versions name none. */
  offers: v.optional(v.pipe(v.array(v.string()), v.readonly())),
});

export type CatalogueReport = v.InferOutput<typeof CatalogueReport>;

/** Reads the build's report of its catalogue (src/pages/catalogue.json.ts). */
export async function readCatalogueReport(site: string): Promise<CatalogueReport> {
  const text = await readFile(join(site, 'catalogue.json'), 'utf8').catch(() => undefined);
  if (text === undefined) throw new BuildError('The build read no catalogue. Nothing was published.');
  return v.parse(CatalogueReport, JSON.parse(text));
}

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

const FileRecord = v.object({ hash: v.string(), bytes: v.number() });

/** `release.json`: the contents of a release. The next release is compared with it. */
const Manifest = v.object({
  id: v.string(),
  /** The release that was live before it. */
  replaces: v.optional(v.string()),
  publishedAt: v.string(),
  catalogueHash: v.string(),
  /** Changes with the code and the store record. */
  shop: v.string(),
  /** The compression dictionary, `_astro/dictionary.HASH.txt`, if the release has compressed forms. */
  dictionary: v.optional(v.string()),
  /** The version of the API's answers when the build began. The watcher compares it. */
  sourceVersion: v.string(),
  /** When planned prices had last changed by then; '' for never. */
  pricesSince: v.string(),
  products: v.record(v.string(), ProductRecord),
  /** Keyed by path within the site, without compressed forms and without assets of older releases. */
  files: v.record(v.string(), FileRecord),
});

export type Manifest = v.InferOutput<typeof Manifest>;

export type Files = Manifest['files'];

const NAME = 'release.json';

const isCompressed = (file: string): boolean => /\.(br|gz|dcz)$/.test(file);

const AT_ONCE = 16;

/** BLAKE2 takes a third of the time of SHA-256 on processors without SHA instructions. */
export const hashOf = (content: Buffer): string =>
  createHash('blake2b512').update(content).digest('base64url').slice(0, 43);

/** The hash and the size of every file of a site. */
export async function fingerprint(site: string): Promise<Files> {
  const names = (await listFiles(site)).filter((file) => !isCompressed(file) && file !== BUILD_INFO);
  const files: Files = {};
  for (let start = 0; start < names.length; start += AT_ONCE) {
    const batch = names.slice(start, start + AT_ONCE).map(async (name) => {
      const content = await readFile(join(site, name));
      return [name, { hash: hashOf(content), bytes: content.length }] as const;
    });
    for (const [name, record] of await Promise.all(batch)) files[name] = record;
  }
  return files;
}

export const writeManifest = (release: string, manifest: Manifest): Promise<void> =>
  writeFile(join(release, NAME), JSON.stringify(manifest));

/** Reads the manifest of a release; undefined if there is no readable one: then everything counts as new. */
export async function readManifest(release: string): Promise<Manifest | undefined> {
  const text = await readFile(join(release, NAME), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const parsed = v.safeParse(Manifest, JSON.parse(text));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}
