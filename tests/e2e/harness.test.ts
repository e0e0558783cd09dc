import { guardConsole } from '#tests/support/console-guard.ts';
import { expect, test } from '#tests/support/fixtures.ts';

test('the shop under test has its own API behind http://localhost:8044', async ({ page, shop }) => {
  await page.goto('/');
  const health = await page.evaluate(() =>
    fetch('http://localhost:8044/api/v1/storeInfo').then((r) => r.status),
  );
  expect(health).toBe(200);
  expect(new URL(shop.url).hostname).toBe('localhost');
});

test('a signed-in shopper has a token, a filled cart its line', async ({
  page,
  signedInShopper,
  filledCart,
}) => {
  await page.goto('/');
  expect(await page.evaluate(() => document.cookie)).toContain(`auth_token=${signedInShopper.token}`);
  expect(await page.evaluate(() => localStorage.getItem('cart'))).toBe(JSON.stringify(filledCart));
});

test('an order can be made in any status', async ({ api, signedInShopper }) => {
  const { id } = await api.order(signedInShopper, { status: 'shipped' });
  expect(await api.orders(signedInShopper)).toMatchObject([{ id, status: 2 }]);
});

test('an order can be paid', async ({ api, signedInShopper }) => {
  const { id } = await api.order(signedInShopper);
  await api.pay(signedInShopper, id);
  expect(await api.orders(signedInShopper)).toMatchObject([{ id, status: 1 }]);
});

test.describe('an error on the console', () => {
  test('is unexpected, and so is an unhandled rejection', async ({ context, page, allowConsoleErrors }) => {
    allowConsoleErrors(/broken|nobody caught this/);
    const { unexpected } = guardConsole(context);
    await page.goto('/');
    const told = page.waitForEvent('pageerror');
    await page.evaluate(() => {
      console.error('broken');
      setTimeout(() => Promise.reject(new Error('nobody caught this')));
    });
    await told;
    expect(unexpected()).toEqual([
      expect.stringContaining('broken'),
      expect.stringContaining('nobody caught this'),
    ]);
  });

  test('may be allowed', async ({ page, allowConsoleErrors }) => {
    allowConsoleErrors(/broken/);
    await page.goto('/');
    await page.evaluate(() => console.error('broken'));
  });
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a page still has its heading', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });
});
