import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { AstroOptions } from '#scripts/build/run-astro.ts';
import { afterSwitch, isUntold, orWarn } from './after-switch.ts';
import { BuildError, stopped } from './build-error.ts';
import { buildInto } from './build-site.ts';
import { readCatalogueReport } from './catalogue-report.ts';
import { type Changes, changesBetween, isUnchanged } from './changes.ts';
import { checkRelease } from './check-release.ts';
import { completeRelease } from './complete-release.ts';
import { addDictionary } from './dictionary.ts';
import { remember } from './history.ts';
import { lockReleases } from './lock.ts';
import { fingerprint, type Manifest, readManifest } from './manifest.ts';
import {
  buildingFolder,
  currentRelease,
  nextReleaseId,
  prune,
  removeLeftovers,
  SITE,
  switchTo,
} from './releases.ts';
import { apiBaseOf, sourceWatch } from './source-version.ts';
import { summaryOf } from './summary.ts';

export interface PublishOptions extends Pick<AstroOptions, 'env' | 'signal' | 'onWarning'> {
  /** The folder of the releases. */
  readonly root: string;
  readonly dryRun?: boolean;
  readonly allowShrink?: boolean;
  readonly allowLostPages?: boolean;
  readonly precompress?: boolean;
  /** Pages may weigh more than their budget. */
  readonly allowHeavy?: boolean;
  /** Called between the switch and PUBLISH_AFTER. */
  readonly onSwitch?: (changes: Changes) => void;
  readonly build?: typeof buildInto;
  readonly now?: () => Date;
}

export interface Published {
  /** undefined where nothing had changed, and in a dry run. */
  readonly id: string | undefined;
  readonly changes: Changes;
  /** PUBLISH_AFTER ran for a release that was live already: it had failed, or never ended. */
  readonly toldAgain: boolean;
}

const LISTED = 20;

function refuse(problems: readonly string[]): void {
  if (problems.length === 0) return;
  const listed = problems.slice(0, LISTED).map((problem) => `  ${problem}`);
  if (problems.length > LISTED) listed.push(`  and ${problems.length - LISTED} more`);
  throw new BuildError(`Not published, the live release stays:\n${listed.join('\n')}`);
}

/** The live release's dictionary, while only products have changed since: who holds it need not fetch another. */
const keptDictionary = (root: string, before: Manifest | undefined, shop: string) =>
  before?.dictionary !== undefined && before.shop === shop
    ? { site: join(root, before.id, SITE), file: before.dictionary }
    : undefined;

/** A site that may go live. Apart, so that what only the checks need of each page takes no memory after them. */
async function makeSite(options: PublishOptions, root: string, folder: string) {
  const { env = process.env, build = buildInto } = options;
  const site = join(folder, SITE);
  // Asked before the build: what changes while it runs is another version, and published next.
  const sourceVersion = await sourceWatch(apiBaseOf(env))
    .version()
    .catch(() => '');
  const built = await build(site, { ...options, env });
  const { forbidden, hosting, facts } = built;
  const report = await readCatalogueReport(site);

  const live = currentRelease(root);
  const before = live === undefined ? undefined : await readManifest(join(root, live));
  const dictionary =
    options.precompress === false
      ? undefined
      : await addDictionary(site, [...facts.keys()], keptDictionary(root, before, report.shop));
  const files = await fingerprint(site, before && { site: join(root, before.id, SITE), files: before.files });
  refuse(await checkRelease({ site, files, facts, report, before, forbidden, options }));
  return { sourceVersion, report, before, files, hosting, dictionary };
}

async function makeRelease(
  options: PublishOptions,
  root: string,
  id: string,
): Promise<Omit<Published, 'toldAgain'>> {
  const folder = buildingFolder(root, id);
  mkdirSync(folder, { recursive: true });
  const { sourceVersion, report, before, files, hosting, dictionary } = await makeSite(options, root, folder);
  const changes = changesBetween(before, { products: report.products, files });
  if (options.dryRun || (before && isUnchanged(changes))) return { id: undefined, changes };

  const manifest = {
    id,
    replaces: before?.id,
    publishedAt: (options.now?.() ?? new Date()).toISOString(),
    catalogueHash: report.hash,
    shop: report.shop,
    dictionary,
    sourceVersion,
    products: report.products,
    files,
  };
  const precompress = options.precompress !== false;
  await completeRelease({ root, folder, manifest, before, hosting, precompress });
  if (options.signal?.aborted) throw stopped('SIGTERM');
  renameSync(folder, join(root, id));
  switchTo(root, id);
  await orWarn('The history could not be written', () =>
    remember(root, { id, at: manifest.publishedAt, kind: 'published', summary: summaryOf(changes) }),
  );
  options.onSwitch?.(changes);
  return { id, changes };
}

/** Tells of the live release, and deletes what nobody needs once the web server has taken it. */
async function tell(root: string, env: PublishOptions['env']): Promise<void> {
  await afterSwitch(root, env);
  await orWarn('Older releases could not be deleted', async () => {
    const live = currentRelease(root);
    const { replaces } = (live === undefined ? undefined : await readManifest(join(root, live))) ?? {};
    prune(root, [live, replaces]);
  });
}

/**
 * Builds, checks and switches to a new release by one rename; on any failure before that the live release stays (faults
 * 81, 82). Then runs PUBLISH_AFTER, for an unchanged release too where it has not succeeded yet.
 * @throws BuildError with a message for a person
 */
export async function publish(options: PublishOptions): Promise<Published> {
  const root = resolve(options.root);
  const lock = lockReleases(root);
  try {
    removeLeftovers(root);
    const id = nextReleaseId(root, options.now?.() ?? new Date());
    const made = await makeRelease(options, root, id).finally(() =>
      rmSync(buildingFolder(root, id), { recursive: true, force: true }),
    );
    const tells = !options.dryRun && isUntold(root);
    if (tells) await tell(root, options.env);
    return { ...made, toldAgain: tells && made.id === undefined };
  } finally {
    lock.release();
  }
}
