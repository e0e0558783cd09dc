import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeMarkup } from '#domain/text.ts';
import type { SiteSettings } from '#server/settings/settings.ts';
import { headersFile, redirectsFile } from './hosts/netlify.ts';
import { type CatalogueReport, readCatalogueReport, writeBuildInfo } from './release/manifest.ts';
import { addressOf, listFiles } from './site/built-pages.ts';
import { kindOf, NOT_FOUND, policiesOf, withMetaPolicy } from './site/content-security-policy.ts';
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
}

/** Adds headers with hashes of the inline code, redirects, sitemap, robots.txt and service worker. */
export async function finishSite(directory: string, settings: SiteSettings): Promise<Finished> {
  const write = (name: string, text: string): Promise<void> => writeFile(join(directory, name), text);
  const files = await listFiles(directory);
  const facts = await readFacts(directory, files);
  const pages = [...facts.keys()].sort();
  const policies = policiesOf(facts, settings);
  const report = await readCatalogueReport(directory);

  const listed = pages.filter((file) => file !== NOT_FOUND && !facts.get(file)?.noindex);
  await write('sitemap.xml', sitemapFile(report.siteUrl, listed.map(addressOf)));
  if (!existsSync(join(directory, 'robots.txt'))) await write('robots.txt', robotsFile(report.siteUrl));
  // Hosts have no headers for unknown addresses.
  for (const page of pages.filter((file) => file === NOT_FOUND || settings.metaPolicy)) {
    const html = await readFile(join(directory, page), 'utf8');
    await write(page, withMetaPolicy(html, policies.get(kindOf(page)) ?? {}));
  }
  await writeServiceWorker(directory, files, facts, settings.worker);
  const names = await listFiles(directory);
  const hosting = hostingOf(policies, names, settings, report.moved);
  // Every page requests this file, and would log an error without it.
  await writeBuildInfo(directory);
  await write('_headers', headersFile(hosting));
  await write('_redirects', redirectsFile(hosting));
  return { hosting, report, facts };
}
