import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

/** Bytes of brotli 11, as a CDN serves them. */
export const brotliBytes = (content: string | Buffer): number =>
  brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).byteLength;

const TAG_SOURCES: readonly RegExp[] = [
  /<script\b[^>]*\bsrc="([^"]+)"/g,
  /<link\b[^>]*\brel="(?:stylesheet|modulepreload)"[^>]*\bhref="([^"]+)"/g,
];

/** `import … from "./x.js"` and `import "./x.js"`; a dynamic import has a parenthesis and loads on demand. */
const STATIC_IMPORT = /\b(?:from|import)\s*["'](\.{1,2}\/[^"']+|\/[^"']+)["']/g;

const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, address]) => address ?? '').filter((address) => address !== '');

/** Every script and stylesheet a page loads without being asked: what it names, and what those import. */
export function assetsOf(html: string, dist: string): string[] {
  const found = new Set<string>();
  const queue = TAG_SOURCES.flatMap((pattern) => matches(html, pattern));
  for (let address = queue.pop(); address !== undefined; address = queue.pop()) {
    const path = address.split(/[?#]/)[0] ?? '';
    if (found.has(path) || !path.startsWith('/') || !existsSync(join(dist, path))) continue;
    found.add(path);
    if (!path.endsWith('.js')) continue;
    const imports = matches(readFileSync(join(dist, path), 'utf8'), STATIC_IMPORT);
    queue.push(...imports.map((target) => posix.resolve(posix.dirname(path), target)));
  }
  return [...found];
}

export interface PageWeight {
  readonly html: number;
  readonly assets: readonly { readonly path: string; readonly bytes: number }[];
  readonly total: number;
}

const assetBytes = new Map<string, number>();

function bytesOfAsset(dist: string, path: string): number {
  const known = assetBytes.get(join(dist, path));
  const bytes = known ?? brotliBytes(readFileSync(join(dist, path)));
  assetBytes.set(join(dist, path), bytes);
  return bytes;
}

/** HTML, CSS and JavaScript of one built page, in bytes of brotli 11; `file` is relative to `dist`. */
export function weighPage(dist: string, file: string): PageWeight {
  const content = readFileSync(join(dist, file), 'utf8');
  const html = brotliBytes(content);
  const assets = assetsOf(content, dist).map((path) => ({ path, bytes: bytesOfAsset(dist, path) }));
  return { html, assets, total: assets.reduce((sum, { bytes }) => sum + bytes, html) };
}
