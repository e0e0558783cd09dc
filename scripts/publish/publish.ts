import { mkdirSync, renameSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { AstroOptions } from '#scripts/build/run-astro.ts';
import { type Changes, changesBetween, isUnchanged, summaryOf } from '#scripts/publish/release/changes.ts';
import { checkRelease } from '#scripts/publish/release/check-release.ts';
import {
  ALL_ENCODINGS,
  addDictionary,
  compressSite,
  type Encodings,
  linkAssets,
  linkEqualFiles,
} from '#scripts/publish/release/compress.ts';
import { lockReleases } from '#scripts/publish/release/lock.ts';
import {
  fingerprint,
  type Manifest,
  readManifest,
  writeBuildInfo,
  writeManifest,
} from '#scripts/publish/release/manifest.ts';
import {
  buildingFolder,
  KEPT,
  listReleases,
  markLive,
  nextReleaseId,
  prune,
  removeLeftovers,
  SITE,
  writeEntry,
} from '#scripts/publish/release/releases.ts';
import { afterSwitch, isPending, switchAndMark } from '#scripts/publish/release/switch.ts';
import { HOSTING_FILE, type Hosting } from '#scripts/publish/site/hosting.ts';
import { plannedPrices, sourceVersion } from '#scripts/publish/watch/catalogue.ts';
import { dictionaryOf } from '#scripts/serve/dictionary.ts';
import { RefusedRelease, stopped } from '#server/process/explained-error.ts';
import { currentRelease, type PublishPhase } from '#server/process/publishing.ts';
import { parseSettings } from '#server/settings/parse.ts';
import { apiBaseOf, PUBLISH } from '#server/settings/settings.ts';
import { buildInto } from './build-site.ts';

export interface PublishOptions extends Pick<AstroOptions, 'env' | 'signal'> {
  readonly root: string;
  readonly dryRun?: boolean;
  readonly allowShrink?: boolean;
  readonly onPhase?: (phase: PublishPhase) => void;
  /** Called between the switch and PUBLISH_AFTER. */
  readonly onSwitch?: (changes: Changes) => void;
  readonly build?: typeof buildInto;
}

export interface Published {
  /** The new release, or the live one if only PUBLISH_AFTER ran again; undefined if nothing changed. */
  readonly id: string | undefined;
  readonly changes: Changes;
}

const MAX_LISTED = 20;

function refuse(problems: readonly string[]): void {
  if (problems.length === 0) return;
  const listed = problems.slice(0, MAX_LISTED).map((problem) => `  ${problem}`);
  if (problems.length > MAX_LISTED) listed.push(`  and ${problems.length - MAX_LISTED} more`);
  throw new RefusedRelease(`Not published, the live release stays:\n${listed.join('\n')}`);
}

/** Builds and checks a site. A separate function, so that the facts of all pages are freed after it. */
async function makeSite(options: PublishOptions, root: string, id: string, site: string) {
  const { env = process.env, build = buildInto } = options;
  options.onPhase?.('building');
  // The versions are read before the build. A change during the build is then a new version, which is published
  // next.
  const noVersion = () => '';
  const source = await sourceVersion(apiBaseOf(env))().catch(noVersion);
  const pricesSince = await plannedPrices(apiBaseOf(env))().catch(noVersion);
  const { facts, hosting, report } = await build(site, { ...options, env });

  options.onPhase?.('checking');
  const before = await readManifest(root, currentRelease(root));
  // If only products have changed, browsers keep the dictionary of the live release.
  const shared = before?.shop === report.shop ? before.dictionary : undefined;
  const kept = before && shared && join(root, before.id, SITE, shared);
  const dictionary = parseSettings(PUBLISH, env).PRECOMPRESS
    ? await addDictionary(site, Object.keys(report.products), kept)
    : undefined;
  const files = await fingerprint(site);
  refuse(checkRelease({ files, facts, report, before, allowShrink: options.allowShrink }));
  const manifest: Manifest = {
    ...report,
    id,
    replaces: before?.id,
    publishedAt: new Date().toISOString(),
    dictionary,
    sourceVersion: source,
    pricesSince,
    files,
  };
  return { manifest, before, hosting };
}

/** Returns the encodings that a release may share with the one before, which need the same dictionary. */
function sharedEncodings(manifest: Manifest, before: Manifest | undefined): Encodings {
  if (manifest.dictionary === undefined) return [''];
  return manifest.dictionary === before?.dictionary ? ALL_ENCODINGS : ['', '.br', '.gz'];
}

/** Completes a release: shared files, encodings, older assets, hosting. */
async function completeRelease(
  root: string,
  folder: string,
  { manifest, before, hosting }: { manifest: Manifest; before: Manifest | undefined; hosting: Hosting },
): Promise<void> {
  const site = join(folder, SITE);
  const encodings = sharedEncodings(manifest, before);
  const now = { site, files: manifest.files };
  if (before)
    await linkEqualFiles(now, { site: join(root, before.id, SITE), files: before.files }, encodings);
  let served = hosting;
  if (manifest.dictionary !== undefined) {
    const dictionary = dictionaryOf(await readFile(join(site, manifest.dictionary)));
    await compressSite(site, Object.keys(manifest.files), dictionary);
    served = { ...hosting, available: dictionary.available };
  }
  // Visitors still have pages of these releases open. The manifests are read one after the other, because each
  // names every file of a large shop.
  const live = before === undefined ? [] : [before.id];
  for (const id of new Set([...listReleases(root).slice(1 - KEPT), ...live])) {
    const { files = {} } = (await readManifest(root, id)) ?? {};
    linkAssets(site, { site: join(root, id, SITE), files }, encodings);
  }
  await writeBuildInfo(site, manifest.dictionary, manifest);
  await writeFile(join(folder, HOSTING_FILE), JSON.stringify(served));
  await writeManifest(folder, manifest);
}

async function makeRelease(options: PublishOptions, root: string, id: string): Promise<Published> {
  const folder = buildingFolder(root, id);
  mkdirSync(folder, { recursive: true });
  const made = await makeSite(options, root, id, join(folder, SITE));
  const { manifest, before } = made;
  const changes = changesBetween(before, manifest);
  if (options.dryRun || (before && isUnchanged(changes))) return { id: undefined, changes };

  options.onPhase?.('compressing');
  await completeRelease(root, folder, made);
  await writeEntry(folder, { at: manifest.publishedAt, summary: summaryOf(changes) });
  if (options.signal?.aborted) throw stopped('SIGTERM');
  renameSync(folder, join(root, id));
  switchAndMark(root, id);
  markLive(root, id);
  options.onSwitch?.(changes);
  return { id, changes };
}

/**
 * Builds and checks a new release and switches to it by one rename. If anything fails before that, the live release
 * stays. Then runs PUBLISH_AFTER, unless it has already succeeded for the live release.
 * @throws BuildError
 */
export async function publish(options: PublishOptions): Promise<Published> {
  const root = resolve(options.root);
  using _lock = lockReleases(root);
  await removeLeftovers(root);
  const id = nextReleaseId(root, new Date());
  const published = await makeRelease(options, root, id).finally(() =>
    rm(buildingFolder(root, id), { recursive: true, force: true }),
  );
  if (options.dryRun || !isPending(root)) return published;
  await afterSwitch(root, options.env ?? process.env);
  // Not earlier: until the command has succeeded, the web server may serve an older release.
  await prune(root);
  return { ...published, id: currentRelease(root) };
}
