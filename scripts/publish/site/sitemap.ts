import { escapeMarkup } from '#domain/markup.ts';

const LIMIT = 50_000;

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

const absolute = (origin: string, path: string): string =>
  escapeMarkup(path === '/' ? `${origin}/` : origin + path);

const urlSet = (origin: string, paths: readonly string[]): string =>
  `${HEAD}<urlset ${NAMESPACE}>\n${paths.map((path) => `<url><loc>${absolute(origin, path)}</loc></url>\n`).join('')}</urlset>\n`;

/** The sitemap's files, keyed by name. Above the limit of 50,000 addresses there is an index with several parts. */
export function sitemapFiles(origin: string, paths: readonly string[]): Map<string, string> {
  if (paths.length <= LIMIT) return new Map([['sitemap.xml', urlSet(origin, paths)]]);
  const parts = new Map<string, string>();
  for (let start = 0; start < paths.length; start += LIMIT) {
    parts.set(`sitemap-${parts.size + 1}.xml`, urlSet(origin, paths.slice(start, start + LIMIT)));
  }
  const entries = [...parts.keys()].map(
    (name) => `<sitemap><loc>${absolute(origin, `/${name}`)}</loc></sitemap>\n`,
  );
  return new Map([
    ['sitemap.xml', `${HEAD}<sitemapindex ${NAMESPACE}>\n${entries.join('')}</sitemapindex>\n`],
    ...parts,
  ]);
}

export const robotsFile = (origin: string): string =>
  `User-agent: *\nAllow: /\n\nSitemap: ${origin}/sitemap.xml\n`;
