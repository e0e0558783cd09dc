import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { AdminPage } from '#server/admin/page.ts';
import { ADMIN } from '#server/admin/paths.ts';
import { Refusal } from '#server/http/refusal.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

const readText = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

/** A new file of this folder is a line here. */
const FILES = [
  'admin.css',
  'catalogue.css',
  'slip.css',
  'print.js',
  'publish.js',
  'insert.js',
  'link.js',
] as const;

export type AssetFile = (typeof FILES)[number];

/** Order statuses and product pictures have the shop's colours. */
const SHOP_COLOURS: Partial<Record<AssetFile, string>> = {
  'admin.css': [
    ...readText('../../../../src/styles/theme.css').matchAll(
      /--color-(\w+): (#\w+);\s+--color-on-\1: (#\w+);/g,
    ),
  ]
    .map(([, tone, back, text]) => `.status-${tone} { background: ${back}; color: ${text}; }`)
    .join('\n'),
  'catalogue.css': (readText('../../../../src/styles/price.css').match(/\.tint-\d+ \{[^.}]*\}/g) ?? []).join(
    '\n',
  ),
};

const ASSETS = FILES.map((file) => {
  const bytes = readText(file) + (SHOP_COLOURS[file] ?? '');
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 10);
  const type = extname(file);
  return { file, bytes, type: TYPES[type] ?? '', name: `${file.slice(0, -type.length)}.${hash}${type}` };
});

/** The address changes with the file's content, so browsers may cache it forever. */
export function assetPath(file: AssetFile): string {
  return `${ADMIN}/assets/${ASSETS.find((asset) => asset.file === file)?.name}`;
}

export const ASSET_PAGES: readonly AdminPage[] = [
  {
    method: 'GET',
    path: '/assets/:name',
    access: 'anyone',
    handle(context) {
      const asset = ASSETS.find(({ name }) => name === context.req.param('name'));
      if (!asset) throw new Refusal(404, 'There is no such file.');
      return context.body(asset.bytes, 200, {
        'Content-Type': asset.type,
        'Cache-Control': 'private, max-age=31536000, immutable',
      });
    },
  },
];
