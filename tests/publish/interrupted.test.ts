import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { hashOf, readManifest } from '#scripts/publish/release/manifest.ts';
import { messageOf } from '#server/process/explained-error.ts';
import { temporaryFolder } from './support/temporary-folder.ts';
import { publishTiny, tinyShop } from './support/tiny-site.ts';

const TINY = fileURLToPath(new URL('./support/tiny-site.ts', import.meta.url));

const KILLS = 5;

/** Returns the id of the live release. Throws unless all its files are there with the hashes of its manifest. */
async function assertWhole(root: string): Promise<string> {
  const folder = realpathSync(join(root, 'current'));
  const manifest = await readManifest(root, basename(folder));
  if (!manifest) throw new Error(`${folder} has no release.json`);
  for (const [file, hash] of Object.entries(manifest.files)) {
    if (hashOf(readFileSync(join(folder, 'site', file))) !== hash)
      throw new Error(`${folder}: ${file} is of another release`);
  }
  const info = readFileSync(join(folder, 'site/build-info.json'), 'utf8');
  if (!info.includes(manifest.id)) throw new Error(`${folder}: build-info.json is of another release`);
  return manifest.id;
}

/** Ends a process and all its children at once, as a power cut would. */
function killGroup(child: ChildProcess): void {
  try {
    if (child.pid) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The process ended by itself at the same moment.
  }
}

test('after publications were killed at random moments, one complete release is live', async () => {
  const root = temporaryFolder();
  const start = (price: number): ChildProcess =>
    spawn(process.execPath, [TINY, root, String(price)], { detached: true, stdio: 'ignore' });
  const began = performance.now();
  await once(start(1), 'close');
  let duration = performance.now() - began;
  await assertWhole(root);
  for (let [price, killed] = [2, 0]; killed < KILLS; price += 1) {
    const started = performance.now();
    const child = start(price);
    const ended = once(child, 'close');
    const first = await Promise.race([ended, wait(Math.random() * duration * 1.1)]);
    if (first === undefined) killGroup(child);
    await ended;
    if (child.signalCode === 'SIGKILL') killed += 1;
    // The machine may have been busier before, so the shortest duration counts.
    else duration = Math.min(duration, performance.now() - started);
    expect([0, null]).toContain(child.exitCode);
    await assertWhole(root);
  }
});

/** Mounts a file system of `kib` KiB for the test. Returns its folder; undefined if this computer allows no mount. */
function smallDisk(kib: number): string | undefined {
  const folder = temporaryFolder();
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', folder]);
  if (status !== 0) return undefined;
  onTestFinished(() => void spawnSync('umount', ['--lazy', folder]));
  return folder;
}

test('after the disk filled up during a publication, the live release is complete', async ({ skip }) => {
  const disk = smallDisk(600);
  if (disk === undefined) return skip('no small disk can be mounted here (needs root on Linux)');
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
