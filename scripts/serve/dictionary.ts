import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';

/** A compression dictionary (RFC 9842): pages shrink to a tenth for a browser that holds it. */
export interface Dictionary {
  readonly content: Buffer;
  /** The value of `Available-Dictionary` from a browser that holds it. */
  readonly available: string;
  /** The first 40 bytes of everything compressed with it: a fixed mark and the SHA-256 of the content. */
  readonly header: Buffer;
}

const MARK = Buffer.from('5e2a4d1820000000', 'hex');
/**
 * Level 9 with smaller tables. Zstandard's own tables for a dictionary of this size are cleared for each page,
 * which takes five times as long as compressing it. Level 19 takes 28 ms a page for 2 % less.
 */
const PARAMETERS = {
  [constants.ZSTD_c_compressionLevel]: 9,
  [constants.ZSTD_c_hashLog]: 17,
  [constants.ZSTD_c_chainLog]: 17,
  [constants.ZSTD_c_searchLog]: 6,
};

export function dictionaryOf(content: Buffer): Dictionary {
  const hash = createHash('sha256').update(content).digest();
  return { content, available: `:${hash.toString('base64')}:`, header: Buffer.concat([MARK, hash]) };
}

/** Compresses a page for `Content-Encoding: dcz`. */
export async function compressWith({ content, header }: Dictionary, page: Buffer): Promise<Buffer> {
  const compressed = await promisify(zstdCompress)(page, { dictionary: content, params: PARAMETERS });
  return Buffer.concat([header, compressed]);
}
