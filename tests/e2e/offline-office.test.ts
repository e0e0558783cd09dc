import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright/test';
import { expect, test } from '#tests/support/fixtures.ts';

test.use({ serviceWorkers: 'allow', ownSite: true });

const isKept = (page: Page, path: string): Promise<boolean> =>
  page.evaluate(async (address) => (await caches.match(address)) !== undefined, path);

test('[fault 128] the pages of the office and of the gateway are not kept, nor any that the build did not make', async ({
  page,
  shop,
}) => {
  const others = ['/office', '/office/orders', '/gateway/upi', '/other'];
  for (const path of others) {
    const file = join(shop.directory, `${path}.html`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '<title>Orders</title><h1>Orders of Asha</h1>');
  }
  await page.goto('/');
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await expect.poll(() => isKept(page, '/')).toBe(true);
  for (const path of others) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'Orders of Asha' })).toBeVisible();
  }
  await page.goto('/terms');
  await expect.poll(() => isKept(page, '/terms')).toBe(true);
  for (const path of others) expect(await isKept(page, path)).toBe(false);
});
