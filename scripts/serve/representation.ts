import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { isCompressible } from './content-types.ts';
import type { Found } from './find-file.ts';

export type Encoding = 'br' | 'gzip' | 'identity';
export type Representation = { body: Buffer; encoding: Encoding; etag: string };

const CACHE_BYTES = 64 * 1024 * 1024;
/** As publishing compresses; each page once, then from memory. */
const BROTLI_QUALITY = 11;

const compress: Record<Exclude<Encoding, 'identity'>, (body: Buffer) => Promise<Buffer>> = {
  br: (body) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (body) => promisify(gzip)(body),
};
const SUFFIX = { br: '.br', gzip: '.gz' } as const;

/** The best encoding that both sides know; a q of 0 refuses. */
export const chooseEncoding = (acceptEncoding: string | undefined): Encoding => {
  const accepted = new Set(
    (acceptEncoding ?? '')
      .toLowerCase()
      .split(',')
      .filter((entry) => !/;\s*q=0(\.0*)?\s*$/.test(entry))
      .map((entry) => entry.split(';')[0]?.trim()),
  );
  if (accepted.has('br')) return 'br';
  return accepted.has('gzip') ? 'gzip' : 'identity';
};

const etagOf = (body: Buffer): string =>
  `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 12)}"`;

/** Reads files in the encoding asked for, precompressed where a `.br` or `.gz` lies beside, and keeps what it made. */
export const createRepresentations = () => {
  const kept = new Map<string, Representation>();
  let size = 0;

  const keep = (key: string, representation: Representation): void => {
    kept.set(key, representation);
    size += representation.body.length;
    for (const [oldest, { body }] of kept) {
      if (size <= CACHE_BYTES || oldest === key) break;
      kept.delete(oldest);
      size -= body.length;
    }
  };

  return async ({ file, stats }: Found, wanted: Encoding): Promise<Representation> => {
    const encoding = isCompressible(file) ? wanted : 'identity';
    const key = `${encoding} ${stats.mtimeMs} ${stats.size} ${stats.ino} ${file}`;
    const known = kept.get(key);
    if (known) return known;
    const plain = await readFile(file);
    const etag = etagOf(plain);
    const body =
      encoding === 'identity'
        ? plain
        : await readFile(file + SUFFIX[encoding]).catch(() => compress[encoding](plain));
    const representation = { body, encoding, etag };
    keep(key, representation);
    return representation;
  };
};
