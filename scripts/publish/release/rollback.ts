import { join, resolve } from 'node:path';
import { BuildError } from '#scripts/program/explained-error.ts';
import { afterSwitch, switchAndMark } from './after-switch.ts';
import { remember } from './history.ts';
import { ALL_FORMS, linkAssets } from './link.ts';
import { lockReleases } from './lock.ts';
import { readManifest } from './manifest.ts';
import { currentRelease, listReleases, SITE } from './releases.ts';

/** Another release is live than the one that was to be gone back from. */
export class StaleRelease extends BuildError {}

export interface RollBackOptions {
  /** The release to go back to. The default is the one that the live release replaced. */
  readonly to?: string | undefined;
  /** The release that must be live. It is compared under the lock, so that of two people only one goes back. */
  readonly from?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * Goes back to an older release without building.
 * @throws StaleRelease, or BuildError if there is no such release, or if PUBLISH_AFTER fails
 */
export async function rollBack(
  folder: string,
  { to: release, from: seen, env = process.env }: RollBackOptions = {},
): Promise<{ from: string; to: string }> {
  const root = resolve(folder);
  const lock = lockReleases(root);
  try {
    const from = currentRelease(root);
    if (from === undefined) throw new BuildError('There is no live release to go back from.');
    if (seen !== undefined && seen !== from)
      throw new StaleRelease(`The live release is ${from} by now. Nothing was changed.`);
    const releases = listReleases(root);
    const manifest = await readManifest(join(root, from));
    // The release with the next lower number is not always right: it may have been rolled back earlier.
    const before =
      releases.find((id) => id === manifest?.replaces) ?? releases.filter((id) => id < from).at(-1);
    const to = release ?? before;
    if (to === undefined) throw new BuildError('There is no older release to go back to.');
    if (!releases.includes(to)) throw new BuildError(`There is no release '${to}'.`);
    if (to !== from) {
      // Visitors still have pages of the other release open.
      if (manifest)
        linkAssets(join(root, to, SITE), { site: join(root, from, SITE), files: manifest.files }, ALL_FORMS);
      switchAndMark(root, to);
      const at = new Date().toISOString();
      await remember(root, { id: to, at, kind: 'rolled back', summary: [`Back from ${from}.`] });
    }
    await afterSwitch(root, env);
    return { from, to };
  } finally {
    lock.release();
  }
}
