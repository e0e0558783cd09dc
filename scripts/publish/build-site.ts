import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { storeInfoRequest } from '#api/requests.ts';
import { escapeMarkup } from '#domain/text.ts';
import { readStoreInfo } from '#scripts/build/read-store-info.ts';
import { type AstroOptions, runAstro } from '#scripts/build/run-astro.ts';
import { falseClaims } from '#server/doctor/demo.ts';
import { BuildError, RefusedRelease } from '#server/process/explained-error.ts';
import { type Environment, parseSettings } from '#server/settings/parse.ts';
import { PUBLISH, readSiteSettings, type SiteSettings } from '#server/settings/settings.ts';
import { headersFile, redirectsFile } from './hosts/netlify.ts';
import { addDictionary } from './release/compress.ts';
import { waitForLock } from './release/lock.ts';
import { readCatalogueReport, writeBuildInfo } from './release/manifest.ts';
import { addressOf, listFiles } from './site/built-pages.ts';
import { kindOf, NOT_FOUND, policiesOf, withMetaPolicy } from './site/content-security-policy.ts';
import { hostingOf } from './site/hosting.ts';
import { readFacts } from './site/page-facts.ts';
import { writeServiceWorker } from './site/service-worker.ts';

/** Retries of the request before the build. */
const RETRIES = 2;

/** Every build runs here, because pages contain the path as a constant and would otherwise be built again. */
const WORK_FOLDER = fileURLToPath(new URL('../../.cache/build', import.meta.url));

export interface BuildOptions extends AstroOptions {
  /** Builds every page again, even if nothing has changed. */
  readonly force?: boolean;
}

const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true });

/** Moves a folder by a rename, or by a copy between file systems. */
async function move(from: string, to: string): Promise<void> {
  await remove(to);
  mkdirSync(dirname(to), { recursive: true });
  try {
    renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error;
    await cp(from, to, { recursive: true });
  }
}

/**
 * A live shop must not name the demo's address or people as its own. Checked before the build, so that nobody waits for
 * a build that is refused.
 * @throws RefusedRelease that says where to set them; BuildError if the API does not answer
 */
async function refuseFalseClaims(env: Environment): Promise<void> {
  if (env.NODE_ENV !== 'production' || env.PUBLIC_DEMO === 'true') return;
  const record = await readStoreInfo(storeInfoRequest().schema, env, RETRIES).catch((error: Error) => {
    throw new BuildError(error.message);
  });
  const problems = falseClaims(record);
  if (problems.length === 0) return;
  const lines = problems.map((problem) => `  ${problem}`);
  throw new RefusedRelease(
    `Not published, because the pages would say what is not true:\n${lines.join('\n')}\nA demonstration is published all the same by PUBLIC_DEMO=true, or npm run release -- --demo. Each page then says that it is one.`,
  );
}

/** Lets one build at a time run in this project. A refused shop does not wait for another build. */
async function lockBuilds({ env = process.env, signal }: BuildOptions): Promise<Disposable> {
  await refuseFalseClaims(env);
  const waiting = (): void => console.log('Another build is running here. Waiting for it to end.');
  return waitForLock(join(WORK_FOLDER, 'lock'), waiting, signal);
}

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

/** Adds headers with hashes of the inline code, redirects, sitemap, robots.txt and service worker. */
export async function finishSite(directory: string, settings: SiteSettings) {
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

async function make(directory: string, options: BuildOptions) {
  const { env = process.env, force = false } = options;
  const settings = readSiteSettings(env);
  const site = join(WORK_FOLDER, 'site');
  await runAstro(site, force, options);
  await move(site, directory);
  return finishSite(directory, settings);
}

/** Builds and completes the site, and moves it to `directory`, replacing what is there. @throws BuildError */
export async function buildInto(directory: string, options: BuildOptions) {
  using _lock = await lockBuilds(options);
  return await make(directory, options);
}

/** Builds beside a folder and replaces it by one rename. If that fails, the folder stays. @throws BuildError */
export async function buildSite(target: string, options: BuildOptions) {
  const place = resolve(target);
  const beside = (what: string): string => join(dirname(place), `.${basename(place)}.${what}`);
  const [next, old] = [beside('next'), beside('old')];
  using _lock = await lockBuilds(options);
  // The previous build was killed between its two renames.
  if (existsSync(old) && !existsSync(place)) renameSync(old, place);
  await Promise.all([remove(old), remove(next)]);
  try {
    const built = await make(next, options);
    if (parseSettings(PUBLISH, options.env ?? process.env).PRECOMPRESS)
      await writeBuildInfo(next, await addDictionary(next, Object.keys(built.report.products)));
    if (existsSync(place)) renameSync(place, old);
    renameSync(next, place);
    await remove(old);
    return built;
  } finally {
    await remove(next);
  }
}
