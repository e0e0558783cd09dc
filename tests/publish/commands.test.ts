import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { currentRelease } from '#scripts/publish/release/releases.ts';
import { startScript } from './support/run.ts';
import { startStubApi } from './support/stub-catalogue.ts';
import { temporaryFolder } from './support/temporary-folder.ts';
import { publishTiny, tinyShop } from './support/tiny-site.ts';

test('[fault 4, 85] publishing refuses a shop that shrank, accepts it with --allow-shrink, and rolls back without building', async () => {
  const api = await startStubApi(1);
  const root = temporaryFolder();
  await publishTiny(root, tinyShop(20));
  const before = currentRelease(root);
  const settings = {
    PUBLIC_API_HOST: api.url,
    PUBLISH_DIR: root,
    ALLOW_HEAVY: 'true',
    PRECOMPRESS: 'false',
  };
  const command = (...args: string[]) => startScript('release.ts', settings, args).ended;

  const refused = await command();
  expect(refused.status).toBe(1);
  expect(refused.errors).toContain('went from 20 to 1 products, 95.0 % fewer');
  expect(currentRelease(root)).toBe(before);

  expect((await command('--allow-shrink')).status).toBe(0);
  expect(currentRelease(root)).toMatch(/^000002-/);
  expect(existsSync(join(root, 'current/site/product/p2.html'))).toBe(false);

  api.pagesAnswered = 0;
  const back = await command('--rollback');
  expect([back.status, back.errors]).toEqual([0, '']);
  expect(currentRelease(root)).toBe(before);
  expect(existsSync(join(root, 'current/site/product/p2.html'))).toBe(true);
});
