import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { isCompressible, isHtml } from './content-types.ts';
import { compressWith, type Dictionary, isMadeWith } from './dictionary.ts';
import type { Found } from './find-file.ts';

/** What a browser says of itself. */
export interface Accepting {
  readonly encodings: ReadonlySet<string>;
  /** Its `Available-Dictionary`. */
  readonly available: string | undefined;
}

export interface Representation {
  readonly body: Buffer;
  /** undefined where the file is sent as it is. */
  readonly encoding: string | undefined;
  /** Of this body: each form of a file has its own. */
  readonly etag: string;
}

interface Form {
  readonly encoding: string;
  readonly suffix: string;
  readonly make: (plain: Buffer) => Promise<Buffer>;
  /** Whether what lies beside the file is this form. */
  readonly fits?: (beside: Buffer) => boolean;
}

const CACHE_BYTES = 64 * 1024 * 1024;

/** As publishing compresses; each file once, then from memory. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
const FORMS: readonly Form[] = [
  { encoding: 'br', suffix: '.br', make: (plain) => promisify(brotliCompress)(plain, brotli) },
  { encoding: 'gzip', suffix: '.gz', make: (plain) => promisify(gzip)(plain) },
];

const formWith = (dictionary: Dictionary): Form => ({
  encoding: 'dcz',
  suffix: '.dcz',
  make: (plain) => compressWith(dictionary, plain),
  fits: (beside) => isMadeWith(dictionary, beside),
});

const etagOf = (body: Buffer): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`;

/**
 * Reads files in the best encoding that both sides know, precompressed where such a form lies beside, and keeps what it
 * made. A page is compressed with the site's dictionary for a browser that holds this very one (faults 110, 111).
 */
export const createRepresentations = (dictionary: Dictionary | undefined) => {
  const kept = new Map<string, Representation>();
  let size = 0;

  const formFor = (file: string, { encodings, available }: Accepting): Form | undefined => {
    if (!isCompressible(file)) return undefined;
    const holds = dictionary && isHtml(file) && available === dictionary.available;
    return [...(holds ? [formWith(dictionary)] : []), ...FORMS].find(({ encoding }) =>
      encodings.has(encoding),
    );
  };

  async function read(file: string, form: Form | undefined): Promise<Buffer> {
    const beside = form && (await readFile(file + form.suffix).catch(() => undefined));
    if (beside && form.fits?.(beside) !== false) return beside;
    const plain = await readFile(file);
    return form ? form.make(plain) : plain;
  }

  return async ({ file, stats }: Found, accepting: Accepting): Promise<Representation> => {
    const form = formFor(file, accepting);
    const key = `${form?.encoding} ${stats.mtimeMs} ${stats.size} ${stats.ino} ${file}`;
    const known = kept.get(key);
    if (known) return known;
    const body = await read(file, form);
    const representation = { body, encoding: form?.encoding, etag: etagOf(body) };
    size += body.length;
    if (size > CACHE_BYTES) {
      kept.clear();
      size = body.length;
    }
    kept.set(key, representation);
    return representation;
  };
};
