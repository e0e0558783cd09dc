import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { init, parse } from 'es-module-lexer';
import { Parser } from 'htmlparser2';

await init;

/** Bytes of brotli 11, as a CDN serves them. */
const brotliBytes = (content: string | Buffer): number =>
  brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).byteLength;

/** `rel` values of links whose target is fetched while the page loads; a preload counts for scripts and styles alone. */
const LOADING_LINKS = ['stylesheet', 'modulepreload'];
const PRELOADED = ['script', 'style'];
/** Of an island: what its loader fetches when the page loads, whether or not a link has asked for it before. */
const ISLAND_ADDRESSES = ['component-url', 'renderer-url', 'before-hydration-url'];

/** Addresses that `code` imports statically. A dynamic import loads only when its line runs, and does not count. */
const staticImports = (code: string): string[] =>
  parse(code)[0].flatMap(({ n: address, d: dynamicAt }) => (dynamicAt === -1 && address ? [address] : []));

const addressesOfTag = (name: string, attributes: Readonly<Record<string, string>>): string[] => {
  const { src, href, rel = '', as = '' } = attributes;
  if (name === 'script' && src && attributes.nomodule === undefined) return [src];
  const rels = rel.toLowerCase().split(/\s+/);
  const loads =
    rels.some((value) => LOADING_LINKS.includes(value)) ||
    (rels.includes('preload') && PRELOADED.includes(as));
  if (name === 'link' && href && loads) return [href];
  if (name !== 'astro-island') return [];
  return ISLAND_ADDRESSES.flatMap((attribute) => attributes[attribute] ?? []);
};

/** What a page's markup and its inline modules name themselves. */
function namedBy(html: string): string[] {
  const addresses: string[] = [];
  let inModule = false;
  let code = '';
  const parser = new Parser({
    onopentag(name, attributes) {
      addresses.push(...addressesOfTag(name, attributes));
      inModule = name === 'script' && attributes.type === 'module' && attributes.src === undefined;
      code = '';
    },
    ontext(text) {
      if (inModule) code += text;
    },
    onclosetag() {
      if (inModule) addresses.push(...staticImports(code));
      inModule = false;
    },
  });
  parser.end(html);
  return addresses;
}

/** Every script and stylesheet a page loads without being asked: what it names, and what those import. */
export function assetsOf(html: string, dist: string): string[] {
  const site = new URL('http://site/');
  const found = new Set<string>();
  const queue = namedBy(html).map((address) => new URL(address, site));
  for (let asset = queue.pop(); asset !== undefined; asset = queue.pop()) {
    const { origin, pathname } = asset;
    if (origin !== site.origin || found.has(pathname) || !existsSync(join(dist, pathname))) continue;
    found.add(pathname);
    if (!/\.m?js$/.test(pathname)) continue;
    for (const address of staticImports(readFileSync(join(dist, pathname), 'utf8')))
      queue.push(new URL(address, asset));
  }
  return [...found];
}

export interface PageWeight {
  readonly html: number;
  /** Scripts and stylesheets, besides the page. */
  readonly assets: number;
  /** HTML, CSS and JavaScript together. */
  readonly total: number;
}

const assetBytes = new Map<string, number>();

function bytesOfAsset(file: string): number {
  const known = assetBytes.get(file);
  if (known !== undefined) return known;
  const bytes = brotliBytes(readFileSync(file));
  assetBytes.set(file, bytes);
  return bytes;
}

/** What one built page loads until its load event, in bytes of brotli 11; `file` is relative to `dist`. */
export function weighPage(dist: string, file: string): PageWeight {
  const content = readFileSync(join(dist, file), 'utf8');
  const html = brotliBytes(content);
  const assets = assetsOf(content, dist);
  const total = assets.reduce((sum, path) => sum + bytesOfAsset(join(dist, path)), html);
  return { html, assets: assets.length, total };
}
