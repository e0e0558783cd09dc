import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { messageOf } from '#scripts/program/explained-error.ts';
import { temporaryFolder } from './support/temporary-folder.ts';
import { publishTiny, tinyShop } from './support/tiny-site.ts';
import { assertWhole } from './support/whole-release.ts';

const mount = (folder: string, kib: number): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', folder]).status === 0;

const unmount = (folder: string): void => void spawnSync('umount', ['--lazy', folder]);

/** Mounts a file system of `kib` KiB for the test. Returns its folder; undefined if this computer allows no mount. */
function smallDisk(kib: number): string | undefined {
  const folder = temporaryFolder();
  if (!mount(folder, kib)) return undefined;
  onTestFinished(() => unmount(folder));
  return folder;
}

const CANNOT_MOUNT = 'no small disk can be mounted here (needs root on Linux)';

test('[fault 81] a disk that fills up during a publication leaves the live release whole', async ({
  skip,
}) => {
  const disk = smallDisk(600);
  if (disk === undefined) return skip(CANNOT_MOUNT);
  const root = join(disk, 'releases');
  const shop = tinyShop(20);
  await publishTiny(root, shop);
  let refused = 0;
  // Each size makes the disk full at another moment of the publication.
  for (const kib of [30, 60, 90, 120, 200, 400, 900]) {
    shop.extra = { 'large.txt': 'x'.repeat(kib * 1024), 'other.svg': 'y'.repeat(kib * 700) };
    const failure = await publishTiny(root, shop).then(
      ({ id }) => id,
      (error: unknown) => messageOf(error),
    );
    const id = await assertWhole(root);
    if (failure === id) continue;
    expect(failure).toContain('The disk is full. Nothing was published.');
    refused += 1;
  }
  expect(refused).toBeGreaterThan(0);
});
