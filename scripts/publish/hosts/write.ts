import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addressOf } from '#scripts/publish/site/built-pages.ts';
import { type Headers, type Hosting, isHtml } from '#scripts/publish/site/hosting.ts';
import { caddySite } from './caddy.ts';
import { nginxHttp, nginxServer } from './nginx.ts';

/** The addresses of files on these hosts. */
function pathsOf(file: string): string[] {
  if (!isHtml(file)) return [`/${file}`];
  const address = addressOf(file);
  return address === '/' ? ['/', '/index.html'] : [address, `${address}.html`];
}

const block = (path: string, headers: Headers): string =>
  [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)].join('\n');

/**
 * The `_headers` file of Netlify and Cloudflare Pages. They join all matching rules, so a page matches only `/*` and
 * one other rule. An unknown address matches no page's rule, which is why 404.html contains its policy.
 */
export const headersFile = ({ everywhere, rules, notFound }: Hosting): string =>
  `${[
    block('/*', everywhere),
    ...rules.flatMap(({ files, headers }) => files.flatMap(pathsOf).map((path) => block(path, headers))),
    block('/404', notFound),
    block('/404.html', notFound),
  ].join('\n\n')}\n`;

/** The `_redirects` file of the same hosts. */
export const redirectsFile = ({ redirects }: Hosting): string =>
  redirects.map(({ from, to, status }) => `${from} ${to} ${status}\n`).join('');

/** What a release says of its own hosting, for install.ts to check. */
export const HOSTING_FILE = 'hosting.json';

/**
 * Writes the configuration beside the site, for nginx and Caddy to include, and the data that it is made of. Returns
 * the names of the files.
 */
export async function writeHostFiles(
  folder: string,
  hosting: Hosting,
  { site, live }: { site: string; live: string },
): Promise<string[]> {
  const files = {
    'nginx-http.conf': nginxHttp(hosting),
    'nginx-server.conf': nginxServer(hosting, site, live),
    Caddyfile: caddySite(hosting, site),
    [HOSTING_FILE]: JSON.stringify(hosting),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return Object.keys(files);
}
