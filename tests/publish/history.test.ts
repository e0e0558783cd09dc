import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lastPublished } from '#scripts/publish/release/history.ts';
import { rollBack } from '#scripts/publish/release/switch/rollback.ts';
import { temporaryFolder } from './support/temporary-folder.ts';
import { publishTiny, tinyShop } from './support/tiny-site.ts';

test('the last published release is the newest one, rolled back or not, but none that was killed before its switch', async () => {
  const root = temporaryFolder();
  expect(await lastPublished(root)).toBeUndefined();
  await publishTiny(root, tinyShop(2));
  const { id } = await publishTiny(root, tinyShop(3));
  expect(await lastPublished(root)).toBe(id);
  await rollBack(root);
  expect(await lastPublished(root)).toBe(id);
  mkdirSync(join(root, '999999-20260105-100000'));
  expect(await lastPublished(root)).toBe(id);
});
