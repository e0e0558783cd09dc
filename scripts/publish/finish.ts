import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeMarkup } from '#domain/text.ts';
import type { SiteSettings } from '#server/settings/settings.ts';
import { headersFile, redirectsFile } from './hosts/netlify.ts';
import { type CatalogueReport, readCatalogueReport, writeBuildInfo } from './release/manifest.ts';
import { listFiles } from './site/built-pages.ts';
import {
  describePages,
  kindOf,
  NOT_FOUND,
  type SitePages,
  withMetaPolicy,
} from './site/content-security-policy.ts';
import { type Hosting, hostingOf } from './site/hosting.ts';
import { readFacts, type SiteFacts } from './site/page-facts.ts';
import { writeServiceWorker } from './site/service-worker.ts';

const absolute = (origin: string, path: string): string =>
  escapeMarkup(path === '/' ? `${origin}/` : origin + path);

/** Search engines read at most 50,000 addresses. */
export const sitemapFile = (origin: string, paths: readonly string[]): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...paths.map((path) => `<url><loc>${absolute(origin, path)}</loc></url>`),
    '</urlset>\n',
  ].join('\n');

export const robotsFile = (origin: string): string =>
  `User-agent: *\nAllow: /\n\nSitemap: ${origin}/sitemap.xml\n`;

export interface Finished {
  readonly hosting: Hosting;
  readonly report: CatalogueReport;
  readonly facts: SiteFacts;
  /** Tags that the policy will block, each with its kind of page. */
  readonly forbidden: readonly string[];
}

/** Writes the policy into 404.html, as hosts have no headers for unknown addresses; with `metaPolicy` into all. */
async function writeMetaPolicies(
  directory: string,
  facts: SiteFacts,
  { kinds, notFoundPolicy }: SitePages,
  { metaPolicy }: SiteSettings,
): Promise<void> {
  const policies = new Map([
    ...kinds.map((kind) => [kind.files, kind.policy] as const),
    [NOT_FOUND, notFoundPolicy] as const,
  ]);
  for (const page of [...facts.keys()].filter((file) => file === NOT_FOUND || metaPolicy)) {
    const policy = policies.get(kindOf(page));
    const file = join(directory, page);
    if (policy) await writeFile(file, withMetaPolicy(await readFile(file, 'utf8'), policy));
  }
}

/** Adds headers with hashes of the inline code, redirects, sitemap, robots.txt and service worker. */
export async function finishSite(directory: string, settings: SiteSettings): Promise<Finished> {
  const write = (name: string, text: string): Promise<void> => writeFile(join(directory, name), text);
  const files = await listFiles(directory);
  const facts = await readFacts(directory, files);
  const pages = describePages(facts, settings);
  const report = await readCatalogueReport(directory);

  await write('sitemap.xml', sitemapFile(report.siteUrl, pages.listed));
  if (!existsSync(join(directory, 'robots.txt'))) await write('robots.txt', robotsFile(report.siteUrl));
  await writeMetaPolicies(directory, facts, pages, settings);
  await writeServiceWorker(directory, files, facts, settings.worker);
  const names = await listFiles(directory);
  const hosting = hostingOf(pages.kinds, pages.notFoundPolicy, names, settings, report.moved);
  // Every page requests this file, and would log an error without it.
  await writeBuildInfo(directory);
  await write('_headers', headersFile(hosting));
  await write('_redirects', redirectsFile(hosting));
  return { hosting, report, facts, forbidden: pages.forbidden };
}
