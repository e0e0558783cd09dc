import { expect, test } from '#tests/support/fixtures.ts';

test.use({ backForwardCache: true });

test('Back brings a page back as it was left', async ({ page, allowConsoleErrors }) => {
  allowConsoleErrors(/favicon\.ico/);
  await page.goto('/');
  await page.goto('/favicon.svg');
  // A page that comes back from the cache loads nothing: there is no load event to wait for.
  await page.goBack({ waitUntil: 'commit' });
  const { type } = await page.evaluate(() => {
    const [entry] = performance.getEntriesByType('navigation');
    return { type: entry instanceof PerformanceNavigationTiming ? entry.type : '' };
  });
  expect(type, 'a page that was loaded anew says back_forward').toBe('navigate');
});

test('Back to a page in English brings it in Hindi', async ({ page }) => {
  await page.goto('/terms');
  await expect(page.locator('.language').first()).toHaveText('हिन्दी');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Contact Us' }).click();
  await page.getByRole('contentinfo').getByRole('button', { name: 'हिन्दी' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('संपर्क करें');
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('नियम और शर्तें');
  await expect(page.locator('.policy-text')).toHaveAttribute('lang', 'en-IN');
});
