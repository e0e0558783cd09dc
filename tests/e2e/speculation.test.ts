import type { Page } from 'playwright/test';
import { expect, test } from '#tests/support/fixtures.ts';

// The small build of Chromium knows no speculation rules.
test.use({ backForwardCache: true });

const footerLink = (page: Page, name: string) =>
  page.getByRole('contentinfo').getByRole('link', { name, exact: true });
const rules = (page: Page) => page.locator('script[type=speculationrules]');

test('the page behind a link is fetched when the link is pointed at, but none that acts', async ({
  page,
}) => {
  const ahead: string[] = [];
  page.on('request', (request) => {
    if (request.headers()['sec-purpose']) ahead.push(new URL(request.url()).pathname);
  });
  await page.goto('/contact');
  await expect(rules(page)).toHaveCount(1);
  // Pressed, a page that may be is fetched at once. Let go beside the link, it is not opened; the main button would drag it.
  await footerLink(page, 'My Orders').hover();
  await page.mouse.down({ button: 'middle' });
  await footerLink(page, 'Terms & Conditions').hover();
  await page.mouse.up({ button: 'middle' });
  await expect.poll(() => ahead).toEqual(['/terms']);
  await footerLink(page, 'Terms & Conditions').click();
  await page.waitForURL('/terms');
  const delivery = await page.evaluate(() => {
    const [entry] = performance.getEntriesByType('navigation');
    return (entry as PerformanceNavigationTiming & { deliveryType: string }).deliveryType;
  });
  expect(delivery).toBe('navigational-prefetch');
});

test('nothing is fetched ahead while data is saved, and again when it is not', async ({ page }) => {
  await page.goto('/contact');
  const control = page.getByRole('switch', { name: 'Data saver' });
  await control.click();
  await expect(control).toBeChecked();
  await expect(rules(page)).toHaveCount(0);
  await page.reload();
  await expect(control).toBeChecked();
  await expect(rules(page)).toHaveCount(0);
  await control.click();
  await expect(control).not.toBeChecked();
  await expect(rules(page)).toHaveCount(1);
});
