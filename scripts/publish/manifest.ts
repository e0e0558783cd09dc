import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { BUILD_INFO } from './build-info.ts';
import { listFiles } from './built-pages.ts';

const FileRecord = v.object({ hash: v.string(), bytes: v.number() });
const ProductRecord = v.object({ name: v.string(), price: v.number(), hash: v.string() });

/** `release.json`: what a release is made of, to compare the next one with. */
const Manifest = v.object({
  id: v.string(),
  publishedAt: v.string(),
  catalogueHash: v.string(),
  /** Of the API's answers when the build began; the watcher compares it. */
  sourceVersion: v.string(),
  products: v.record(v.string(), ProductRecord),
  /** By path within the site; neither compressed forms nor files carried over from older releases. */
  files: v.record(v.string(), FileRecord),
});

export type Manifest = v.InferOutput<typeof Manifest>;
export type Files = Manifest['files'];

const NAME = 'release.json';

const isCompressed = (file: string): boolean => /\.(br|gz)$/.test(file);

const AT_ONCE = 16;

/** The hash and size of every file of a site. */
export async function fingerprint(site: string): Promise<Files> {
  const names = (await listFiles(site)).filter((file) => !isCompressed(file) && file !== BUILD_INFO);
  const files: Files = {};
  for (let start = 0; start < names.length; start += AT_ONCE) {
    const batch = names.slice(start, start + AT_ONCE).map(async (name) => {
      const content = await readFile(join(site, name));
      const hash = createHash('sha256').update(content).digest('base64url');
      return [name, { hash, bytes: content.length }] as const;
    });
    for (const [name, record] of await Promise.all(batch)) files[name] = record;
  }
  return files;
}

export const manifestText = (manifest: Manifest): string => JSON.stringify(manifest);
export const manifestFile = (release: string): string => join(release, NAME);

/** undefined where there is none, or one that cannot be read: then everything counts as new. */
export async function readManifest(release: string): Promise<Manifest | undefined> {
  const text = await readFile(manifestFile(release), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const parsed = v.safeParse(Manifest, JSON.parse(text));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}
