import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { forAll, listFiles } from '#scripts/publish/site/built-pages.ts';
import { BuildError } from '#server/process/explained-error.ts';
import { BUILD_INFO } from '#server/process/publishing.ts';

const CatalogueReport = v.object({
  /** Changes when anything of the catalogue changes. */
  hash: v.string(),
  /** Changes with the code and the store record, but not when only products do. */
  shop: v.string(),
  /** Hashes of the store record's parts. */
  store: v.record(v.string(), v.string()),
  /** By id. Units: rupees. The hash covers the whole product. */
  products: v.record(v.string(), v.object({ name: v.string(), price: v.number(), hash: v.string() })),
  siteUrl: v.string(),
  /** A hash of the order of the products' ids. Object keys lose it, because JavaScript sorts whole numbers. */
  order: v.string(),
  /** The number of invalid products that were left out. */
  dropped: v.number(),
  /** New addresses of products and categories by the old ones, which nothing has any more. */
  moved: v.exactOptional(v.record(v.string(), v.string())),
});

export type CatalogueReport = v.InferOutput<typeof CatalogueReport>;

/** Reads the build's report of its catalogue (src/pages/catalogue.json.ts). @throws BuildError */
export async function readCatalogueReport(site: string): Promise<CatalogueReport> {
  const text = await readFile(join(site, 'catalogue.json'), 'utf8').catch(() => undefined);
  if (text === undefined) throw new BuildError('The build read no catalogue. Nothing was published.');
  return v.parse(CatalogueReport, JSON.parse(text));
}

/** `release.json`: the contents of a release. The next release is compared with it. */
const Manifest = v.object({
  ...CatalogueReport.entries,
  id: v.string(),
  /** The release that was live before it. */
  replaces: v.optional(v.string()),
  publishedAt: v.string(),
  /** The compression dictionary, `_astro/dictionary.HASH.txt`, if the release has encodings with it. */
  dictionary: v.optional(v.string()),
  /** The version of the API's answers when the build began. The watcher compares it. */
  sourceVersion: v.string(),
  /** The last change of planned prices before the build; '' for never. */
  pricesSince: v.string(),
  /** The hashes, keyed by path within the site, without encodings and without assets of older releases. */
  files: v.record(v.string(), v.string()),
});

export type Manifest = v.InferOutput<typeof Manifest>;

export type Files = Manifest['files'];

/** Writes `build-info.json`, which pages read at run time. A site that is not published has no manifest. */
export function writeBuildInfo(site: string, dictionary?: string, manifest?: Manifest): Promise<void> {
  const release = manifest && {
    release: manifest.id,
    publishedAt: manifest.publishedAt,
    catalogueHash: manifest.hash,
    products: Object.keys(manifest.products).length,
    pages: Object.keys(manifest.files).filter((file) => file.endsWith('.html')).length,
  };
  const info = { ...release, ...(dictionary === undefined ? {} : { dictionary: `/${dictionary}` }) };
  return writeFile(join(site, BUILD_INFO), `${JSON.stringify(info)}\n`);
}

const NAME = 'release.json';

/** BLAKE2 takes a third of the time of SHA-256 on processors without SHA instructions. */
export const hashOf = (content: Buffer): string =>
  createHash('blake2b512').update(content).digest('base64url').slice(0, 43);

/** Returns the hash of every file of a site, without encodings. */
export async function fingerprint(site: string): Promise<Files> {
  const isHashed = (file: string): boolean => !/\.(br|gz|dcz)$/.test(file) && file !== BUILD_INFO;
  const names = (await listFiles(site)).filter(isHashed);
  const files = await forAll(
    names,
    async (name) => [name, hashOf(await readFile(join(site, name)))] as const,
  );
  return Object.fromEntries(files);
}

export const writeManifest = (release: string, manifest: Manifest): Promise<void> =>
  writeFile(join(release, NAME), JSON.stringify(manifest));

const ManifestText = v.pipe(v.string(), v.parseJson(), Manifest);

/** Returns the manifest of a release; undefined if there is no readable one. Then everything counts as new. */
export async function readManifest(root: string, id: string | undefined): Promise<Manifest | undefined> {
  const text = id && (await readFile(join(root, id, NAME), 'utf8').catch(() => undefined));
  const parsed = v.safeParse(ManifestText, text);
  return parsed.success ? parsed.output : undefined;
}
