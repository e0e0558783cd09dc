import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';

/** Pages that are compressed with this content are a tenth of their size for a browser that holds it (RFC 9842). */
export interface Dictionary {
  readonly content: Buffer;
  /** What a browser that holds it sends as `Available-Dictionary`. */
  readonly available: string;
  /** The first 40 bytes of everything compressed with it: a fixed mark and its SHA-256. */
  readonly header: Buffer;
}

const MARK = Buffer.from('5e2a4d1820000000', 'hex');
/** Higher levels take ten times as long and save 4 %; see scripts/publish/README.md. */
const LEVEL = 9;

export function dictionaryOf(content: Buffer): Dictionary {
  const hash = createHash('sha256').update(content).digest();
  return { content, available: `:${hash.toString('base64')}:`, header: Buffer.concat([MARK, hash]) };
}

/** The form of a page that is sent with `Content-Encoding: dcz`. */
export async function compressWith({ content, header }: Dictionary, page: Buffer): Promise<Buffer> {
  const compressed = await promisify(zstdCompress)(page, {
    dictionary: content,
    params: { [constants.ZSTD_c_compressionLevel]: LEVEL },
  });
  return Buffer.concat([header, compressed]);
}

/** Whether a compressed form was made with this dictionary. */
export const isMadeWith = ({ header }: Dictionary, form: Buffer): boolean =>
  form.subarray(0, header.length).equals(header);
