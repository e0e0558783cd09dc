import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BUILD_INFO, unpublishedInfo } from '#scripts/publish/release/build-info.ts';
import { readCatalogueReport } from '#scripts/publish/release/catalogue-report.ts';
import { listFiles, readPages } from '#scripts/publish/site/built-pages.ts';
import { withMetaPolicy } from '#scripts/publish/site/content-security-policy.ts';
import { type Hosting, hostingOf } from '#scripts/publish/site/hosting.ts';
import { readFacts, type SiteFacts } from '#scripts/publish/site/page-facts.ts';
import { describePages, kindOf, NOT_FOUND, type SitePages } from '#scripts/publish/site/page-kinds.ts';
import { writeServiceWorker } from '#scripts/publish/site/service-worker.ts';
import type { SiteSettings } from '#scripts/publish/site/site-settings.ts';
import { robotsFile, sitemapFiles } from '#scripts/publish/site/sitemap.ts';
import { STORE_DEFAULTS } from '#site.ts';
import { headersFile, redirectsFile } from './hosts/headers-file.ts';

export interface Finished {
  readonly hosting: Hosting;
  readonly pages: number;
  readonly facts: SiteFacts;
  /** The tags that the policy refuses, each with its kind of page. */
  readonly forbidden: readonly string[];
}

/**
 * Writes the policy into 404.html, because hosts have no header rules for unknown addresses. Where `metaPolicy` is set,
 * writes it into all pages.
 */
async function writeMetaPolicies(
  directory: string,
  files: readonly string[],
  { kinds, notFoundPolicy }: SitePages,
  { metaPolicy }: SiteSettings,
): Promise<void> {
  const policies = new Map([
    ...kinds.map((kind) => [kind.files, kind.policy] as const),
    [NOT_FOUND, notFoundPolicy] as const,
  ]);
  const chosen = files.filter((file) => file === NOT_FOUND || metaPolicy);
  for await (const { file, html } of readPages(directory, chosen)) {
    const policy = policies.get(kindOf(file));
    if (policy) await writeFile(join(directory, file), withMetaPolicy(html, policy));
  }
}

/** Adds to what Astro built: headers with hashes of the inline code, redirects, sitemap, robots.txt, service worker. */
export async function finishSite(directory: string, settings: SiteSettings): Promise<Finished> {
  const write = (name: string, text: string): Promise<void> => writeFile(join(directory, name), text);
  const files = await listFiles(directory);
  const facts = await readFacts(directory, files);
  const pages = describePages(facts, settings);

  const { siteUrl = STORE_DEFAULTS.siteUrl } = await readCatalogueReport(directory);
  for (const [name, text] of sitemapFiles(siteUrl, pages.listed)) await write(name, text);
  if (!existsSync(join(directory, 'robots.txt'))) await write('robots.txt', robotsFile(siteUrl));
  await writeMetaPolicies(directory, files, pages, settings);
  await writeServiceWorker(directory, files, facts, settings.worker);
  const hosting = hostingOf(pages.kinds, pages.notFoundPolicy, await listFiles(directory), settings);
  // Every page requests this file. Without it, each would log an error.
  await write(BUILD_INFO, unpublishedInfo());
  await write('_headers', headersFile(hosting));
  await write('_redirects', redirectsFile(hosting));
  return {
    hosting,
    pages: facts.size,
    facts,
    forbidden: pages.forbidden,
  };
}
