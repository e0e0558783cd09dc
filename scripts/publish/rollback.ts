import { join, resolve } from 'node:path';
import { BuildError } from './build-error.ts';
import { remember } from './history.ts';
import { lockReleases } from './lock.ts';
import { readManifest } from './manifest.ts';
import { currentRelease, listReleases, SITE, switchTo } from './releases.ts';
import { carryAssets } from './reuse.ts';

/**
 * Goes back to the release before the live one, or to the one named, without building (faults 85).
 * @throws BuildError where there is none
 */
export async function rollBack(folder: string, wanted?: string): Promise<{ from: string; to: string }> {
  const root = resolve(folder);
  const lock = lockReleases(root);
  try {
    const from = currentRelease(root);
    if (from === undefined) throw new BuildError('There is no live release to go back from.');
    const to =
      wanted ??
      listReleases(root)
        .filter((id) => id < from)
        .at(-1);
    if (to === undefined) throw new BuildError('There is no older release to go back to.');
    if (!listReleases(root).includes(to)) throw new BuildError(`There is no release '${to}'.`);
    // Pages of the release that is left are still open somewhere.
    const manifest = await readManifest(join(root, from));
    if (manifest) carryAssets(join(root, to, SITE), { site: join(root, from, SITE), files: manifest.files });
    switchTo(root, to);
    const at = new Date().toISOString();
    await remember(root, { id: to, at, kind: 'rolled back', summary: [`Back from ${from}.`] });
    return { from, to };
  } finally {
    lock.release();
  }
}
