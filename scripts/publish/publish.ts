import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { AstroOptions } from '#scripts/build/run-astro.ts';
import { apiBaseOf } from '#scripts/program/api-base.ts';
import { RefusedRelease, stopped } from '#scripts/program/explained-error.ts';
import { checkRelease } from '#scripts/publish/checks/check-release.ts';
import { readCatalogueReport } from '#scripts/publish/release/catalogue-report.ts';
import { type Changes, changesBetween, isUnchanged } from '#scripts/publish/release/changes.ts';
import { addDictionary } from '#scripts/publish/release/dictionary.ts';
import { remember } from '#scripts/publish/release/history.ts';
import { lockReleases } from '#scripts/publish/release/lock.ts';
import { fingerprint, type Manifest, readManifest } from '#scripts/publish/release/manifest.ts';
import {
  buildingFolder,
  currentRelease,
  nextReleaseId,
  prune,
  removeLeftovers,
  SITE,
  switchTo,
} from '#scripts/publish/release/releases.ts';
import { plannedPrices, sourceWatch } from '#scripts/publish/release/source-version.ts';
import { summaryOf } from '#scripts/publish/release/summary.ts';
import { afterSwitch, isUnannounced, orWarn } from '#scripts/publish/release/switch/after-switch.ts';
import { buildInto } from './build-site.ts';
import { completeRelease } from './complete-release.ts';

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
  /** Whether PUBLISH_AFTER ran again for a release that was already live, because it had not succeeded before. */
  readonly announcedAgain: boolean;
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
  const { forbidden, hosting, facts, address } = built;
  options.onProgress?.({ phase: 'checking', done: 0, total: 0 });
  const report = await readCatalogueReport(site);

  const live = currentRelease(root);
  const before = live === undefined ? undefined : await readManifest(join(root, live));
  const dictionary =
    options.precompress === false
      ? undefined
      : await addDictionary(site, [...facts.keys()], keptDictionary(root, before, report.shop));
  const files = await fingerprint(site, before && { site: join(root, before.id, SITE), files: before.files });
  refuse(await checkRelease({ site, files, facts, report, before, forbidden, options }));
  return { sourceVersion, pricesSince, report, before, files, hosting, dictionary, address };
}

async function makeRelease(
  options: PublishOptions,
  root: string,
  id: string,
): Promise<Omit<Published, 'announcedAgain'>> {
  const folder = buildingFolder(root, id);
  mkdirSync(folder, { recursive: true });
  const made = await makeSite(options, root, folder);
  const { sourceVersion, pricesSince, report, before, files, hosting, dictionary, address } = made;
  const changes = changesBetween(before, { products: report.products, files });
  if (options.dryRun || (before && isUnchanged(changes))) return { id: undefined, changes };

  const manifest = {
    id,
    replaces: before?.id,
    publishedAt: (options.now?.() ?? new Date()).toISOString(),
    address,
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
  switchTo(root, id);
  await orWarn('The history could not be written', () =>
    remember(root, { id, at: manifest.publishedAt, kind: 'published', summary: summaryOf(changes) }),
  );
  options.onSwitch?.(changes);
  return { id, changes };
}

/** Runs PUBLISH_AFTER for the live release, then deletes the oldest releases, which nobody needs any more. */
async function announce(root: string, env: PublishOptions['env']): Promise<void> {
  await afterSwitch(root, env);
  await orWarn('Older releases could not be deleted', async () => {
    const live = currentRelease(root);
    const { replaces } = (live === undefined ? undefined : await readManifest(join(root, live))) ?? {};
    prune(root, [live, replaces]);
  });
}

/**
 * Builds and checks a new release and switches to it by one rename. If anything fails before that, the live release
 * stays (faults 81, 82). Then runs PUBLISH_AFTER, unless it has already succeeded for the live release.
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
    const mustAnnounce = !options.dryRun && isUnannounced(root);
    if (mustAnnounce) await announce(root, options.env);
    return { ...published, announcedAgain: mustAnnounce && published.id === undefined };
  } finally {
    lock.release();
  }
}
