import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { isCompressible, isHtml } from './content-types.ts';
import { compressWith, type Dictionary, isMadeWith } from './dictionary.ts';
import type { Found } from './find-file.ts';

/** What a browser says in its request that it can decode. */
export interface Accepting {
  readonly encodings: ReadonlySet<string>;
  /** The `Available-Dictionary` header. */
  readonly available: string | undefined;
}

export interface Representation {
  readonly body: Buffer;
  /** undefined if the file is sent uncompressed. */
  readonly encoding: string | undefined;
  /** The ETag of this body: each form of a file has its own. */
  readonly etag: string;
}

interface Form {
  readonly encoding: string;
  readonly suffix: string;
  readonly make: (plain: Buffer) => Promise<Buffer>;
  /** Whether the compressed file beside the plain one is this form. */
  readonly fits?: (compressed: Buffer) => boolean;
}

const CACHE_BYTES = 64 * 1024 * 1024;

/** The quality that publishing uses for assets. Each file is compressed once and then comes from memory. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
const FORMS: readonly Form[] = [
  { encoding: 'br', suffix: '.br', make: (plain) => promisify(brotliCompress)(plain, brotli) },
  { encoding: 'gzip', suffix: '.gz', make: (plain) => promisify(gzip)(plain) },
];

const formWith = (dictionary: Dictionary): Form => ({
  encoding: 'dcz',
  suffix: '.dcz',
  make: (plain) => compressWith(dictionary, plain),
  fits: (compressed) => isMadeWith(dictionary, compressed),
});

const etagOf = (body: Buffer): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`;

/**
 * Reads files in the best encoding that both sides know: from the compressed file beside the plain one, or compressed
 * now and cached. A browser that holds the site's dictionary gets pages that are compressed with it (faults 110, 111).
 */
export const createRepresentations = (dictionary: Dictionary | undefined) => {
  const cache = new Map<string, Representation>();
  let size = 0;

  const formFor = (file: string, { encodings, available }: Accepting): Form | undefined => {
    if (!isCompressible(file)) return undefined;
    const holds = dictionary && isHtml(file) && available === dictionary.available;
    return [...(holds ? [formWith(dictionary)] : []), ...FORMS].find(({ encoding }) =>
      encodings.has(encoding),
    );
  };

  async function read(file: string, form: Form | undefined): Promise<Buffer> {
    const compressed = form && (await readFile(file + form.suffix).catch(() => undefined));
    if (compressed && form.fits?.(compressed) !== false) return compressed;
    const plain = await readFile(file);
    return form ? form.make(plain) : plain;
  }

  return async ({ file, stats }: Found, accepting: Accepting): Promise<Representation> => {
    const form = formFor(file, accepting);
    const key = `${form?.encoding} ${stats.mtimeMs} ${stats.size} ${stats.ino} ${file}`;
    const cached = cache.get(key);
    if (cached) return cached;
    const body = await read(file, form);
    const representation = { body, encoding: form?.encoding, etag: etagOf(body) };
    size += body.length;
    if (size > CACHE_BYTES) {
      cache.clear();
      size = body.length;
    }
    cache.set(key, representation);
    return representation;
  };
};
