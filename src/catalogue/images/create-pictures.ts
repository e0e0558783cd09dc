import { createHash, randomUUID } from 'node:crypto';
import { access, copyFile, link, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import * as v from 'valibot';
import { fetchImage, type Validators } from '#api/image.ts';
import { type Picture, plainPicture } from '#domain/card.ts';
import { encode, type Inspected, inspect, variantName, variantWidths } from './encode.ts';
import { PICTURES_PATH } from './places.ts';

/** The variant that stands for all where nothing chooses. */
const MAIN_WIDTH = 640;
const ENCODED_AT_ONCE = 2;
/** From the question to the last variant: what was fetched waits in memory for its encoding. */
const PICTURES_AT_ONCE = 6;

/** What is remembered of an address between builds. */
const CacheEntry = v.object({
  hash: v.pipe(v.string(), v.regex(/^[\da-f]{12}$/)),
  width: v.number(),
  height: v.number(),
  etag: v.optional(v.string()),
  lastModified: v.optional(v.string()),
});

export interface PictureSettings {
  /** A folder that outlives the build. */
  readonly cache: string;
  /** The folder of the site that variants are published in; undefined: they stay in the cache. */
  readonly out: string | undefined;
  readonly apiOrigin: string;
  readonly warn: (text: string) => void;
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/** Whole or not at all, also when the build is killed. */
async function writeWhole(file: string, content: Buffer | string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, content);
  await rename(draft, file);
}

/**
 * Makes encoded variants of pictures: each address is asked once a build, with the validators of the last time, and
 * each content is encoded once ever. What may not or cannot be had is passed on as the server gave it (faults 51).
 */
export function createPictures({ cache, out, apiOrigin, warn }: PictureSettings) {
  const encoding = pLimit(ENCODED_AT_ONCE);
  const working = pLimit(PICTURES_AT_ONCE);
  const known = new Map<string, Promise<Picture>>();
  const made = new Map<string, Promise<void>>();
  const ready = Promise.all(
    [cache, ...(out ? [out] : [])].map((folder) => mkdir(folder, { recursive: true })),
  );

  async function publish(name: string): Promise<void> {
    if (!out || (await exists(join(out, name)))) return;
    const target = join(out, name);
    await link(join(cache, name), target).catch(() => copyFile(join(cache, name), target));
  }

  async function make(name: string, variant: () => Promise<Buffer>): Promise<void> {
    const file = join(cache, name);
    if (!(await exists(file))) await writeWhole(file, await encoding(variant));
    await publish(name);
  }

  const makeOnce = (name: string, variant: () => Promise<Buffer>): Promise<void> => {
    const making = made.get(name) ?? make(name, variant);
    made.set(name, making);
    return making;
  };

  async function remembered(file: string): Promise<v.InferOutput<typeof CacheEntry> | undefined> {
    try {
      const entry = v.parse(CacheEntry, JSON.parse(await readFile(file, 'utf8')));
      const names = variantWidths(entry.width).map((width) => join(cache, variantName(entry.hash, width)));
      return (await Promise.all(names.map(exists))).every(Boolean) ? entry : undefined;
    } catch {
      return undefined;
    }
  }

  async function look(address: string): Promise<{ found: Inspected; bytes?: Buffer }> {
    const file = join(cache, `${createHash('sha256').update(address).digest('hex').slice(0, 32)}.json`);
    const entry = await remembered(file);
    const validators: Validators = {
      ...(entry?.etag ? { etag: entry.etag } : {}),
      ...(entry?.lastModified ? { lastModified: entry.lastModified } : {}),
    };
    const answer = await fetchImage(address, apiOrigin, validators);
    if (answer.status === 'unchanged') {
      if (!entry) throw new Error('answered 304 to a first question');
      return { found: entry };
    }
    const { bytes, status: _, ...fresh } = answer;
    const found = await inspect(bytes);
    await writeWhole(file, JSON.stringify({ ...found, ...fresh }));
    return { found, bytes };
  }

  async function picture(address: string): Promise<Picture> {
    await ready;
    try {
      const { found, bytes } = await look(address);
      const { hash, width, height } = found;
      const widths = variantWidths(width);
      await Promise.all(
        widths.map((each) =>
          makeOnce(variantName(hash, each), () =>
            bytes ? encode(bytes, each) : Promise.reject(new Error('vanished from the cache')),
          ),
        ),
      );
      const path = (each: number): string => PICTURES_PATH + variantName(hash, each);
      return {
        src: path(widths.find((each) => each >= MAIN_WIDTH) ?? widths.at(-1) ?? width),
        srcset: widths.map((each) => `${path(each)} ${each}w`).join(','),
        width,
        height,
      };
    } catch (error) {
      warn(
        `${address.slice(0, 200)} is passed on as it is: ${error instanceof Error ? error.message : error}`,
      );
      return plainPicture(address);
    }
  }

  return (address: string): Promise<Picture> => {
    const asked = known.get(address) ?? working(() => picture(address));
    known.set(address, asked);
    return asked;
  };
}
