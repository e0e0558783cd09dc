import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { AstroOptions } from '#scripts/build/run-astro.ts';
import { apiBaseOf } from '#scripts/program/api-base.ts';
import { RefusedRelease, stopped } from '#scripts/program/explained-error.ts';
import { checkRelease } from '#scripts/publish/checks/check-release.ts';
import { type Changes, changesBetween, isUnchanged } from '#scripts/publish/release/changes.ts';
import { lockReleases } from '#scripts/publish/release/lock.ts';
import { fingerprint, type Manifest, readManifest } from '#scripts/publish/release/manifest.ts';
import {
  buildingFolder,
  currentRelease,
  nextReleaseId,
  prune,
  removeLeftovers,
  SITE,
} from '#scripts/publish/release/releases.ts';
import { plannedPrices, sourceWatch } from '#scripts/publish/release/source-version.ts';
import { buildInto } from './build-site.ts';
import { completeRelease } from './complete-release.ts';
import { summaryOf } from './release/changes.ts';
import { addDictionary } from './release/compress.ts';
import { readCatalogueReport } from './release/manifest.ts';
import { remember } from './release/releases.ts';
import { afterSwitch, isPending, switchAndMark } from './release/switch.ts';

export interface PublishOptions extends Pick<AstroOptions, 'env' | 'signal' | 'onWarning' | 'onProgress'> {
  /** The folder of the releases. */
  readonly root: string;
  readonly dryRun?: boolean;
  readonly allowShrink?: boolean;
  readonly allowLostPages?: boolean;
  readonly precompress?: boolean;
  /** Lets pages weigh more than their budget. */
  readonly allowHeavy?: boolean;
  /** Called between the switch and PUBLISH_AFTER. */
  readonly onSwitch?: (changes: Changes) => void;
  readonly build?: typeof buildInto;
  readonly now?: () => Date;
}

export interface Published {
  /** undefined if nothing had changed, and in a dry run. */
  readonly id: string | undefined;
  readonly changes: Changes;
  /** The release that the live one replaced. */
  readonly replaces: string | undefined;
  /** Whether PUBLISH_AFTER ran again for a release that was already live, because it had not succeeded before. */
  readonly ranAgain: boolean;
}

const MAX_LISTED = 20;

function refuse(problems: readonly string[]): void {
  if (problems.length === 0) return;
  const listed = problems.slice(0, MAX_LISTED).map((problem) => `  ${problem}`);
  if (problems.length > MAX_LISTED) listed.push(`  and ${problems.length - MAX_LISTED} more`);
  throw new RefusedRelease(`Not published, the live release stays:\n${listed.join('\n')}`);
}

/** The live release's dictionary, if only products have changed since: browsers that hold it need no other one. */
const keptDictionary = (root: string, before: Manifest | undefined, shop: string) =>
  before?.dictionary !== undefined && before.shop === shop
    ? { site: join(root, before.id, SITE), file: before.dictionary }
    : undefined;

/**
 * Builds and checks a site that may go live. This is a separate function so that the facts of all pages, which only the
 * checks need, are freed after it.
 */
async function makeSite(options: PublishOptions, root: string, folder: string) {
  const { env = process.env, build = buildInto } = options;
  const site = join(folder, SITE);
  // The version is read before the build: a change during the build is then a new version, which is published next.
  const noVersion = () => '';
  const sourceVersion = await sourceWatch(apiBaseOf(env)).version().catch(noVersion);
  const pricesSince = await plannedPrices(apiBaseOf(env)).version().catch(noVersion);
  const built = await build(site, { ...options, env });
  const { forbidden, hosting, facts } = built;
  options.onProgress?.({ phase: 'checking', done: 0, total: 0 });
  const report = await readCatalogueReport(site);

  const live = currentRelease(root);
  const before = live === undefined ? undefined : await readManifest(join(root, live));
  const dictionary =
    options.precompress === false
      ? undefined
      : await addDictionary(site, [...facts.keys()], keptDictionary(root, before, report.shop));
  const files = await fingerprint(site);
  refuse(await checkRelease({ site, files, facts, report, before, forbidden, options }));
  return { sourceVersion, pricesSince, report, before, files, hosting, dictionary };
}

async function makeRelease(
  options: PublishOptions,
  root: string,
  id: string,
): Promise<Omit<Published, 'ranAgain'>> {
  const folder = buildingFolder(root, id);
  mkdirSync(folder, { recursive: true });
  const made = await makeSite(options, root, folder);
  const { sourceVersion, pricesSince, report, before, files, hosting, dictionary } = made;
  const changes = changesBetween(before, { products: report.products, files });
  if (options.dryRun || (before && isUnchanged(changes)))
    return { id: undefined, changes, replaces: before?.replaces };

  const manifest = {
    id,
    replaces: before?.id,
    publishedAt: (options.now?.() ?? new Date()).toISOString(),
    catalogueHash: report.hash,
    shop: report.shop,
    dictionary,
    sourceVersion,
    pricesSince,
    products: report.products,
    files,
  };
  const precompress = options.precompress !== false;
  await completeRelease({
    root,
    folder,
    manifest,
    before,
    hosting,
    precompress,
    onCompressed: (done, total) => options.onProgress?.({ phase: 'compressing', done, total }),
  });
  if (options.signal?.aborted) throw stopped('SIGTERM');
  renameSync(folder, join(root, id));
  switchAndMark(root, id);
  await remember(root, { id, at: manifest.publishedAt, kind: 'published', summary: summaryOf(changes) });
  options.onSwitch?.(changes);
  return { id, changes, replaces: before?.id };
}

/**
 * Builds and checks a new release and switches to it by one rename. If anything fails before that, the live release
 * stays. Then runs PUBLISH_AFTER, unless it has already succeeded for the live release.
 * @throws BuildError with a message for a person
 */
export async function publish(options: PublishOptions): Promise<Published> {
  const root = resolve(options.root);
  const lock = lockReleases(root);
  try {
    removeLeftovers(root);
    const id = nextReleaseId(root, options.now?.() ?? new Date());
    const published = await makeRelease(options, root, id).finally(() =>
      rmSync(buildingFolder(root, id), { recursive: true, force: true }),
    );
    const mustRun = !options.dryRun && isPending(root);
    if (mustRun) {
      await afterSwitch(root, options.env ?? process.env);
      // Only now, because until the command has succeeded the web server may serve an older release.
      prune(root, [currentRelease(root), published.replaces]);
    }
    return { ...published, ranAgain: mustRun && published.id === undefined };
  } finally {
    lock.release();
  }
}
