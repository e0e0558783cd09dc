import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { messageOf } from '#scripts/program/explained-error.ts';
import { build } from './support/run.ts';
import { smallDisk } from './support/small-disk.ts';
import { startStubApi } from './support/stub-api.ts';
import { publishTiny, tinyShop } from './support/tiny-site.ts';
import { assertWhole } from './support/whole-release.ts';

const CANNOT_MOUNT = 'no small disk can be mounted here (needs root on Linux)';

test('[fault 81] a disk that fills up during a build is reported, and leaves the old site', async ({
  skip,
}) => {
  const disk = smallDisk(400);
  if (disk === undefined) return skip(CANNOT_MOUNT);
  const dist = join(disk, 'dist');
  mkdirSync(dist);
  writeFileSync(join(dist, 'index.html'), 'what stands');
  const api = await startStubApi(12);
  const { status, errors } = await build(dist, api.url);
  expect(errors).toContain('The disk is full. Nothing was published.');
  expect(status).toBe(1);
  expect(readFileSync(join(dist, 'index.html'), 'utf8')).toBe('what stands');
  expect(readdirSync(disk)).toEqual(['dist']);
});

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
