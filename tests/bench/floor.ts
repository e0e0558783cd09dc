import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type SiteServer, serveSite } from '#scripts/serve/server.ts';

/*
 * The floor: the same words and pictures in HTML as one would write it by hand, with a few lines of CSS and no
 * script, font or icon. What the shop takes beyond it is what the shop itself costs.
 */
const CSS = `body{margin:0;font:16px/1.5 system-ui,sans-serif}header,main,footer{padding:16px}
img{max-width:100%;height:auto}ul{list-style:none;padding:0}li img{height:300px;width:100%;object-fit:contain}
h1{font-size:48px;line-height:1}a{display:inline-block;min-height:32px}`;

const KEPT_ATTRIBUTES =
  /\s(?:href|src|srcset|sizes|alt|width|height|type|media|loading|fetchpriority|decoding)="[^"]*"/g;

const documentOf = (title: string, content: string): string =>
  `<!doctype html><html lang="en-IN"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style>${CSS}</style>${content}</html>`;

/** The built page's content in plain markup. */
export function plainPage(html: string): string {
  const title = /<title>([^<]*)/.exec(html)?.[1] ?? '';
  const body = /<body[^>]*>([\s\S]*)<\/body>/.exec(html)?.[1] ?? '';
  const content = body
    .replace(/<(script|style|template|svg|form|dialog)\b[\s\S]*?<\/\1>/g, '')
    .replace(/<(?:input|button)\b[^>]*>|<\/button>/g, '')
    .replace(/<(\w+)((?:\s[^<>]*)?)>/g, (_, tag: string, attributes: string) => {
      const kept = attributes.match(KEPT_ATTRIBUTES)?.join('') ?? '';
      return `<${tag}${kept}>`;
    });
  return documentOf(title, content);
}

/** A page with one button that does nothing: what a tap takes there, the browser itself takes. */
export const BARE_PATH = '/bare';
const BARE_PAGE = documentOf('Bare', '<button type="button">Tap</button>');

/** Serves plain versions of the pages (site addresses) beside the site's own assets, and the bare page. */
export async function serveFloor(dist: string, paths: readonly string[]): Promise<SiteServer> {
  const directory = mkdtempSync(join(tmpdir(), 'floor-'));
  writeFileSync(join(directory, `${BARE_PATH}.html`), BARE_PAGE);
  cpSync(join(dist, '_astro'), join(directory, '_astro'), { recursive: true });
  for (const path of paths) {
    const file = path === '/' ? 'index.html' : `${path.slice(1)}.html`;
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    writeFileSync(join(directory, file), plainPage(readFileSync(join(dist, file), 'utf8')));
  }
  return serveSite({ directory, host: '127.0.0.1' });
}
