import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { site } from '#site.ts';
import { BUILD_INFO } from './build-info.ts';
import { listFiles, readPages } from './built-pages.ts';
import { type Hosting, hostingOf } from './hosting.ts';
import { headersFile, redirectsFile } from './hosts/headers-file.ts';
import { toLatin1 } from './latin1.ts';
import { factsOf, type PageFacts, type SiteFacts } from './page-facts.ts';
import { describePages, kindOf, NOT_FOUND, type SitePages } from './page-kinds.ts';
import { withMetaPolicy } from './policy.ts';
import { writeServiceWorker } from './service-worker.ts';
import type { SiteSettings } from './site-settings.ts';
import { robotsFile, sitemapFiles } from './sitemap.ts';

export interface Finished {
  readonly hosting: Hosting;
  readonly pages: number;
  readonly facts: SiteFacts;
  /** Tags that the policy refuses, with the kind of page. */
  readonly forbidden: readonly string[];
}

/** A page may be the same file as one that is kept: it is replaced, not written into. */
async function replace(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

/** For pages that nobody looked at when they were made. */
async function readFacts(directory: string, files: readonly string[]): Promise<SiteFacts> {
  const facts = new Map<string, PageFacts>();
  for await (const { file, html } of readPages(directory, files)) facts.set(file, factsOf(toLatin1(html)));
  return facts;
}

/** An unknown address is in no host's list of headers: 404.html carries its policy itself. */
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
  const wanted = files.filter((file) => file === NOT_FOUND || metaPolicy);
  for await (const { file, html } of readPages(directory, wanted)) {
    const policy = policies.get(kindOf(file));
    if (policy) await replace(join(directory, file), withMetaPolicy(html, policy));
  }
}

/** Completes what Astro built: headers by the pages' own inline code, redirects, sitemap, robots, service worker. */
export async function finishSite(
  directory: string,
  settings: SiteSettings,
  { facts, memory }: { facts?: SiteFacts; memory?: string } = {},
): Promise<Finished> {
  const write = (name: string, text: string): Promise<void> => writeFile(join(directory, name), text);
  const files = await listFiles(directory);
  const known = facts ?? (await readFacts(directory, files));
  const pages = describePages(known, settings);

  for (const [name, text] of sitemapFiles(site.origin, pages.listed)) await write(name, text);
  if (!existsSync(join(directory, 'robots.txt'))) await write('robots.txt', robotsFile(site.origin));
  await writeMetaPolicies(directory, files, pages, settings);
  await writeServiceWorker(directory, files, settings.worker, memory);
  const hosting = hostingOf(pages.kinds, pages.notFoundPolicy, await listFiles(directory), settings);
  // Asked for by every page: without one, each would log an error. `publish` fills it in.
  await write(BUILD_INFO, '{}\n');
  await write('_headers', headersFile(hosting));
  await write('_redirects', redirectsFile(hosting));
  return {
    hosting,
    pages: known.size,
    facts: known,
    forbidden: pages.forbidden,
  };
}
