import type { Page } from 'playwright/test';
import { formatRupees } from '#domain/money.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { hold, untilPainted, untilQuiet } from '#tests/support/page.ts';
import { expectNoAxeFindings, expectNoShift, watchShifts } from '#tests/support/page-checks.ts';
import { answerProducts, failApi, wireProduct } from '#tests/support/wire-products.ts';

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const cards = (page: Page) => page.locator('.results .card');
const pills = (page: Page) => page.getByRole('navigation', { name: 'Filter by category' });
const pagination = (page: Page) => page.getByRole('navigation', { name: 'Pagination' });
const desktop = { viewport: { width: 1280, height: 800 }, isMobile: false, hasTouch: false };

test('[spec 2.listing.6, 7.products.8, 9.limits.1] a new parent category joins', async ({ page }) => {
  const asked = await answerProducts(page, [wireProduct({ parentCategory: 'Novelties' })]);
  await page.goto('/products');
  await expect(pills(page).getByRole('link', { name: 'Novelties' })).toBeAttached();
  expect(asked.map((query) => query.get('limit'))).toContain('100');
});

test('[spec 2.listing.7, 2.listing.8] a chosen or cleared parent starts at page 1', async ({ page }) => {
  await page.goto('/products?page=3');
  await pills(page).getByRole('link', { name: 'Fresh Fruits' }).click();
  await expect(page).toHaveURL('/products?parentCategory=Fresh+Fruits');
  await expect(heading(page)).toHaveText('Fresh Fruits');
  await expect(pills(page).locator('[aria-current]')).toHaveText('Fresh Fruits');
  await pagination(page).getByRole('link', { name: 'Page 2' }).click();
  await expect(page).toHaveURL('/products?parentCategory=Fresh+Fruits&page=2');
  await pills(page).getByRole('link', { name: 'All' }).click();
  await expect(page).toHaveURL('/products');
  await expect(heading(page)).toHaveText('All Products');
});

const manyParents = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    wireProduct({ id: `new-${index}`, parentCategory: `Parent ${index}` }),
  );

test('[fault 62] offers no more new parent categories than a build would', async ({ page }) => {
  await answerProducts(page, [wireProduct({ parentCategory: 'x'.repeat(500) }), ...manyParents(99)]);
  await page.goto('/products');
  await expect(pills(page).getByRole('link', { name: 'Parent 0' })).toBeAttached();
  expect(await pills(page).getByRole('link').count()).toBe(31);
  await expect(pills(page).getByRole('link', { name: 'xxx' })).toHaveCount(0);
});

test.describe('on a desktop', () => {
  test.use(desktop);

  const columns = (page: Page) =>
    page
      .locator('.results .cards')
      .evaluate((grid) => getComputedStyle(grid).gridTemplateColumns.split(' ').length);

  test('[spec 2.listing.9] the grid has three or two columns, as chosen last', async ({ page }) => {
    await page.goto('/products');
    expect(await columns(page)).toBe(3);
    await page.getByRole('radio', { name: 'Grid view, 2 columns' }).check();
    expect(await columns(page)).toBe(2);
    await page.reload();
    expect(await columns(page)).toBe(2);
    await expect(page.getByRole('radio', { name: 'Grid view, 2 columns' })).toBeChecked();
  });
});

test('[spec 2.listing.10, 9.limits.2] a phone has no grid toggle', async ({ page }) => {
  await page.goto('/products');
  await expect(page.getByRole('radio', { name: /Grid view/ })).toHaveCount(0);
});

test('[spec 2.listing.12] one page needs no pagination', async ({ page }) => {
  await page.goto('/products?category=melons');
  await expect(cards(page)).toHaveCount(4);
  await expect(pagination(page)).toBeHidden();
});

for (const width of [320, 360, 480, 540]) {
  test(`every page can be reached on a screen of ${width} px, by targets of 44`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/products?page=5');
    await expect(pagination(page).getByRole('link')).toHaveCount(9);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    const boxes = await pagination(page)
      .getByRole('link')
      .evaluateAll((links) =>
        links.map((link) => {
          const { left, right, top, width: wide, height } = link.getBoundingClientRect();
          return { left, right, top, wide, height };
        }),
      );
    for (const [index, box] of boxes.entries()) {
      expect(box.left).toBeGreaterThanOrEqual(0);
      expect(box.right).toBeLessThanOrEqual(width);
      expect(box.wide).toBeGreaterThanOrEqual(44);
      expect(box.height).toBe(44);
      const covered = boxes
        .slice(index + 1)
        .filter(({ left, right, top }) => top === box.top && left < box.right - 1 && right > box.left + 1);
      expect(covered).toEqual([]);
    }
  });
}

test('[spec 2.listing.14] changing page sets the query and scrolls to the top', async ({ page }) => {
  await page.goto('/products');
  await pagination(page).getByRole('link', { name: 'Next' }).click();
  await expect(page).toHaveURL('/products?page=2');
  await expect(page.getByText('Showing 13–24 of 101')).toBeVisible();
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test('[spec 2.listing.16, 2.listing.17] nothing found leads back to everything', async ({ page }) => {
  await page.goto('/products?category=nothing&featured=true');
  await expect(page.getByText('No products found with the selected filters.')).toBeVisible();
  await expectNoAxeFindings(page);
  await page.getByRole('link', { name: 'Clear Filters' }).click();
  await expect(page).toHaveURL('/products');
  await expect(cards(page)).toHaveCount(12);
});

test('[spec 2.listing.18, 2.listing.19] a failure can be retried', async ({ page, allowConsoleErrors }) => {
  allowConsoleErrors(FAILED_REQUEST);
  await failApi(page);
  await page.goto('/products?category=unknown');
  await expect(page.getByRole('alert').getByText('Failed to load products. Please try again.')).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Pagination' })).toBeHidden();
  await expectNoAxeFindings(page);
  await page.unrouteAll();
  await answerProducts(page, [wireProduct()]);
  await page.getByRole('button', { name: 'Try Again' }).click();
  await expect(cards(page)).toHaveCount(1);
});

test('[spec 2.listing.20, 2.listing.21] shows skeletons, never other products', async ({ page }) => {
  const release = await hold(page, '**/listing/category-berries/1.json');
  await page.goto('/products?category=berries');
  await expect(heading(page)).toHaveText('Berries');
  await expect(cards(page).first()).toHaveCSS('height', '392px');
  await expect(page.getByRole('heading', { level: 3 })).toHaveCount(0);
  await expect(page.getByText('Showing')).toHaveCount(0);
  release();
  await expect(cards(page)).toHaveCount(8);
  await expect(cards(page).first()).toContainText('Berries');
});

test('[spec 2.listing.22] the featured are paged, and the filter can be taken off', async ({ page }) => {
  await page.goto('/products?featured=true');
  await expect(heading(page)).toHaveText('All Products');
  await expect(page.getByText('Showing 1–12 of 28')).toBeVisible();
  await pagination(page).getByRole('link', { name: 'Page 3' }).click();
  await expect(page).toHaveURL('/products?featured=true&page=3');
  await expect(cards(page)).toHaveCount(4);
  await page.getByRole('link', { name: 'Featured Remove filter' }).click();
  await expect(page).toHaveURL('/products');
});

for (const [asked, last, shown] of [
  ['/products?page=999', '/products?page=9', 'Showing 97–101 of 101'],
  ['/products?featured=true&page=50', '/products?featured=true&page=3', 'Showing 25–28 of 28'],
  ['/products?category=berries&page=2', '/products?category=berries', 'Showing 1–8 of 8'],
  ['/products?page=40&sort=price-asc', '/products?page=9&sort=price-asc', 'Showing 97–101 of 101'],
] as const) {
  test(`${asked} is past the end: the last page stands there`, async ({ page }) => {
    await page.goto(asked);
    await expect(page.getByText(shown)).toBeVisible();
    await expect(page).toHaveURL(last);
    await expect(page.getByText('No products found with the selected filters.')).toBeHidden();
  });
}

/** Records each price that the card of this selector shows, from the start of each page that is opened from now on. */
const watchPrices = (page: Page, card: string): Promise<unknown> =>
  page.addInitScript((selector) => {
    const prices: string[] = [];
    Object.assign(globalThis, { prices });
    new MutationObserver(() => {
      const price = document.querySelector(`${selector} .price strong`)?.textContent?.trim();
      if (price && price !== prices.at(-1)) prices.push(price);
    }).observe(document, { subtree: true, childList: true, characterData: true });
  }, card);

/** The prices that the card has shown in the open page, one after the other. */
const pricesShown = (page: Page): Promise<string[]> => page.evaluate(() => Reflect.get(globalThis, 'prices'));

test('[spec 2.listing.26] puts a new price in place, for good', async ({ page, shop, api }) => {
  const [first, second] = await api.products();
  await watchShifts(page);
  await page.route(/api\/v1\/products\?page=1&limit=12$/, async (route) => {
    const answer = await fetch(`${shop.apiUrl}/api/v1/products?page=1&limit=12`);
    const body: { data: object[] } = await answer.json();
    Object.assign(body.data[0] ?? {}, { regularPrice: 1_234, discountedPrice: 1_000 });
    await route.fulfill({ json: body });
  });
  await watchPrices(page, '.results .card:first-child');
  await page.goto('/products');
  await expect(cards(page).first()).toContainText(formatRupees(1_000));
  await expect(cards(page).first().locator('s')).toHaveText(formatRupees(1_234));
  await untilQuiet(page);
  await untilPainted(page);
  expect(await pricesShown(page)).toEqual([formatRupees(first?.price ?? 0), formatRupees(1_000)]);
  await expect(cards(page).nth(1)).toContainText(second?.name ?? '?');
  await expect(cards(page)).toHaveCount(12);
  await expectNoShift(page);
});

test('[fault 6] an API that hangs is told of within 25 s', async ({ page }) => {
  await page.clock.install();
  await page.route('**/api/v1/products?*', () => {});
  const asked = page.waitForRequest(/api\/v1\/products/);
  await page.goto('/products?category=unknown');
  const request = await asked;
  await expect(cards(page).first()).toHaveCSS('height', '392px');
  const aborted = page.waitForEvent('requestfailed', (failed) => failed === request);
  await page.clock.runFor(25_000);
  await aborted;
  await expect(page.getByText('Failed to load products. Please try again.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try Again' })).toBeVisible();
});

test('the menu marks the category that is shown, and not all products', async ({ page }) => {
  await page.goto('/products?category=Tropical+Fruits');
  await expect(page.locator('[data-menu] [aria-current]')).toHaveText('Tropical Fruits');
});
