import { addressOf } from '#scripts/publish/site/built-pages.ts';
import { type Headers, type Hosting, isHtml } from '#scripts/publish/site/hosting.ts';

function pathsOf(file: string): string[] {
  if (!isHtml(file)) return [`/${file}`];
  const address = addressOf(file);
  return address === '/' ? ['/', '/index.html'] : [address, `${address}.html`];
}

const block = (path: string, headers: Headers): string =>
  [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)].join('\n');

/**
 * Returns the `_headers` file of Netlify and Cloudflare Pages. They join all matching rules, so a page matches only
 * `/*` and one other rule. An unknown address matches no page's rule, which is why 404.html contains its policy.
 */
export const headersFile = ({ everywhere, rules }: Hosting): string =>
  `${[
    block('/*', everywhere),
    ...rules.flatMap(({ files, headers }) => files.flatMap(pathsOf).map((path) => block(path, headers))),
  ].join('\n\n')}\n`;

/** Returns the `_redirects` file of the same hosts. */
export const redirectsFile = ({ redirects }: Hosting): string =>
  redirects.map(({ from, query, to }) => `${[from, query ?? [], to, 301].flat().join(' ')}\n`).join('');
