import type { Headers, Hosting } from '#scripts/publish/hosting.ts';

const block = (path: string, headers: Headers): string =>
  [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)].join('\n');

/**
 * `_headers` of Netlify and Cloudflare Pages. There all matching rules add up, so a page matches `/*` and one more.
 * An unknown address matches no page's rule: 404.html therefore carries its policy itself.
 */
export const headersFile = ({ everywhere, rules, notFound }: Hosting): string =>
  `${[
    block('/*', everywhere),
    ...rules.flatMap(({ paths, headers }) => paths.map((path) => block(path, headers))),
    block('/404', notFound),
    block('/404.html', notFound),
  ].join('\n\n')}\n`;

/** `_redirects` of the same hosts. */
export const redirectsFile = ({ redirects }: Hosting): string =>
  redirects.map(({ from, to, status }) => `${from} ${to} ${status}\n`).join('');
