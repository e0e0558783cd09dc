import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { isCompressible, isHtml } from '#scripts/publish/site/content-types.ts';
import { ASSETS } from '#scripts/publish/site/hosting.ts';
import { compressWith, type Dictionary } from '#scripts/serve/dictionary.ts';

/** Brotli's quality for assets, which are cached for a year, and for other files: 16 ms or 0.24 ms a file. */
const HARD = 11;

const QUICK = 5;

const LEAST_BYTES = 512;

const AT_ONCE = 8;

type Compress = (file: string, content: Buffer) => Promise<Buffer>;

const qualityOf = (file: string): number => (file.startsWith(ASSETS) ? HARD : QUICK);

const brotli: Compress = (file, content) =>
  promisify(brotliCompress)(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: qualityOf(file),
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });

const gzipped: Compress = (file, content) =>
  promisify(gzip)(content, { level: qualityOf(file) === HARD ? 9 : 6 });

const READ_BY_HOSTS = new Set(['_headers', '_redirects']);

/** Writes the compressed forms that a file does not have yet. */
async function compressFile(site: string, file: string, forms: ReadonlyMap<string, Compress>): Promise<void> {
  const path = join(site, file);
  const content = await readFile(path);
  if (content.length < LEAST_BYTES) return;
  await Promise.all(
    [...forms].map(async ([suffix, compress]) => {
      if (existsSync(path + suffix)) return;
      const form = await compress(file, content);
      if (form.length < content.length) await writeFile(path + suffix, form);
    }),
  );
}

/** Writes `.br` and `.gz` beside text files, and `.dcz` beside pages, unless they are already there. */
export async function compressSite(
  site: string,
  files: readonly string[],
  dictionary: Dictionary | undefined,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<void> {
  const forms = new Map([
    ['.br', brotli],
    ['.gz', gzipped],
  ]);
  const ofPages = dictionary
    ? new Map([...forms, ['.dcz', (_, page) => compressWith(dictionary, page)] satisfies [string, Compress]])
    : forms;
  const formsOf = (file: string) => (isHtml(file) ? ofPages : forms);
  const lacksOne = (file: string): boolean =>
    [...formsOf(file).keys()].some((suffix) => !existsSync(join(site, file + suffix)));
  const unfinished = files.filter(
    (file) => isCompressible(file) && !READ_BY_HOSTS.has(file) && lacksOne(file),
  );
  for (let start = 0; start < unfinished.length; start += AT_ONCE) {
    await Promise.all(
      unfinished.slice(start, start + AT_ONCE).map((file) => compressFile(site, file, formsOf(file))),
    );
    onProgress(Math.min(start + AT_ONCE, unfinished.length), unfinished.length);
  }
}
