import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AdminPage } from '#server/admin/page.ts';
import { ADMIN } from '#server/admin/paths.ts';
import { Refusal } from '#server/http/refusal.ts';

interface Asset {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

const FOLDER = import.meta.dirname;

/** The name changes with the content, so browsers may cache the file forever. */
function assetOf(file: string, type: string, text: string): Asset {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 10);
  return { name: file.replace('.', `.${hash}.`), type: `${type}; charset=utf-8`, text };
}

const script = (file: string): Asset =>
  assetOf(file, 'text/javascript', readFileSync(join(FOLDER, file), 'utf8'));

/** A new script of this folder is a line here. */
const SCRIPTS = {
  print: script('print.js'),
  publish: script('publish.js'),
  insert: script('insert.js'),
  link: script('link.js'),
};

const pathOf = ({ name }: Asset): string => `${ADMIN}/assets/${name}`;

export const Script = ({ name }: { readonly name: keyof typeof SCRIPTS }) => (
  <script type="module" src={pathOf(SCRIPTS[name])} />
);

/** Compiles `admin.css` with the classes of the server's components. */
async function compileSheet(): Promise<Asset> {
  const [{ compile }, { Scanner }, { Features, transform }] = await Promise.all([
    import('tailwindcss'),
    import('@tailwindcss/oxide'),
    import('lightningcss'),
  ]);
  const { build } = await compile(await readFile(join(FOLDER, 'admin.css'), 'utf8'), {
    base: FOLDER,
    async loadStylesheet(id, base) {
      const path = id.startsWith('.') ? join(base, id) : fileURLToPath(import.meta.resolve(id));
      return { path, base: dirname(path), content: await readFile(path, 'utf8') };
    },
  });
  const server = join(FOLDER, '../..');
  const classes = new Scanner({ sources: [{ base: server, pattern: '**/*.tsx', negated: false }] }).scan();
  const { code } = transform({
    filename: 'admin.css',
    code: Buffer.from(build(classes)),
    minify: true,
    // The oldest browsers that the shop serves do not support nested rules.
    include: Features.Nesting | Features.MediaQueries,
  });
  return assetOf('admin.css', 'text/css', Buffer.from(code).toString());
}

let sheet: Promise<Asset> | undefined;

/** Compiles the sheet once, for the first page: it takes half a second, which would delay the start of the shop. */
function sheetOnce(): Promise<Asset> {
  sheet ??= compileSheet();
  return sheet;
}

export const sheetPath = async (): Promise<string> => pathOf(await sheetOnce());

export const ASSET_PAGES: readonly AdminPage[] = [
  {
    method: 'GET',
    path: '/assets/:name',
    access: 'anyone',
    async handle(context) {
      const assets = [await sheetOnce(), ...Object.values(SCRIPTS)];
      const asset = assets.find(({ name }) => name === context.req.param('name'));
      if (!asset) throw new Refusal(404, 'There is no such file.');
      return context.body(asset.text, 200, {
        'Content-Type': asset.type,
        'Cache-Control': 'private, max-age=31536000, immutable',
      });
    },
  },
];
