import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, link, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import * as v from 'valibot';
import { type ImageVariants, type Inspected, inspect } from './encode.ts';
import { fetchImage } from './fetch-image.ts';

const ENCODED_AT_ONCE = 2;
/** Limits memory, which holds the bytes of a picture from its request to its last variant. */
const PICTURES_AT_ONCE = 6;

const CacheEntry = v.object({
  hash: v.pipe(v.string(), v.regex(/^[\da-f]{12}$/)),
  width: v.number(),
  height: v.number(),
  etag: v.optional(v.string()),
  lastModified: v.optional(v.string()),
});

export interface PictureSettings {
  /** A folder that outlives a build. */
  readonly cache: string;
  /** The folder of the site for the variants. */
  readonly out: string;
  readonly apiOrigin: string;
  readonly warn: (text: string) => void;
}

/** Writes the whole file or nothing, even if the build is killed meanwhile. */
async function writeAtomically(file: string, content: Buffer | string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, content);
  await rename(draft, file);
}

/**
 * Returns a function that creates the encoded variants of a picture. It requests each address once per build, with the
 * validators of the last response, and encodes each content once. If a picture cannot be fetched, it returns the fallback.
 */
export function createPictures<Result>(
  { cache, out, apiOrigin, warn }: PictureSettings,
  imageVariants: ImageVariants<Result>,
) {
  const encodeQueue = pLimit(ENCODED_AT_ONCE);
  const pictureQueue = pLimit(PICTURES_AT_ONCE);
  const pictures = new Map<string, Promise<Result>>();
  const variants = new Map<string, Promise<void>>();
  const foldersReady = Promise.all([cache, out].map((folder) => mkdir(folder, { recursive: true })));

  async function createVariant(name: string, encodeIt: () => Promise<Buffer>): Promise<void> {
    const [file, target] = [join(cache, name), join(out, name)];
    if (!existsSync(file)) await writeAtomically(file, await encodeQueue(encodeIt));
    if (!existsSync(target)) await link(file, target).catch(() => copyFile(file, target));
  }

  const createVariantOnce = (name: string, encodeIt: () => Promise<Buffer>): Promise<void> => {
    const variant = variants.get(name) ?? createVariant(name, encodeIt);
    variants.set(name, variant);
    return variant;
  };

  /** Returns undefined unless the cache holds all variants of the picture. */
  async function readCacheEntry(file: string): Promise<v.InferOutput<typeof CacheEntry> | undefined> {
    try {
      const entry = v.parse(CacheEntry, JSON.parse(await readFile(file, 'utf8')));
      const names = imageVariants.list(entry).map(({ name }) => join(cache, name));
      return names.every(existsSync) ? entry : undefined;
    } catch {
      return undefined;
    }
  }

  async function inspectAddress(address: string): Promise<{ inspected: Inspected; bytes?: Buffer }> {
    const file = join(cache, `${createHash('sha256').update(address).digest('hex').slice(0, 32)}.json`);
    const entry = await readCacheEntry(file);
    const response = await fetchImage(address, apiOrigin, entry);
    if (response.status === 'unchanged') {
      if (!entry) throw new Error('answered 304 to a first request');
      return { inspected: entry };
    }
    const { bytes, status: _, ...newValidators } = response;
    const inspected = await inspect(bytes);
    await writeAtomically(file, JSON.stringify({ ...inspected, ...newValidators }));
    return { inspected, bytes };
  }

  async function createPicture(address: string): Promise<Result> {
    await foldersReady;
    try {
      const { inspected, bytes } = await inspectAddress(address);
      await Promise.all(
        imageVariants
          .list(inspected)
          .map(({ name, encode }) =>
            createVariantOnce(name, () =>
              bytes ? encode(bytes) : Promise.reject(new Error('vanished from the cache')),
            ),
          ),
      );
      return imageVariants.result(inspected);
    } catch (error) {
      warn(
        `${address.slice(0, 200)} ${imageVariants.fallbackLog}: ${error instanceof Error ? error.message : error}`,
      );
      return imageVariants.fallback(address);
    }
  }

  return (address: string): Promise<Result> => {
    const picture = pictures.get(address) ?? pictureQueue(() => createPicture(address));
    pictures.set(address, picture);
    return picture;
  };
}
