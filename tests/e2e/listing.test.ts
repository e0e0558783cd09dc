import type { Page } from 'playwright/test';
import { formatRupees } from '#domain/money.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { hold, untilPainted, untilQuiet } from '#tests/support/page.ts';
import { expectNoAxeFindings, expectNoShift, watchShifts } from '#tests/support/page-checks.ts';
import { answerProducts, failApi, productDto } from '#tests/support/product-dtos.ts';

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const cards = (page: Page) => page.locator('.results .card');
const pills = (page: Page) => page.getByRole('navigation', { name: 'Filter by category' });
const pagination = (page: Page) => page.getByRole('navigation', { name: 'Pagination' });

test('[spec 2.listing.6, 7.products.8, 9.limits.1] new parent categories are added, within the build’s limit', async ({
  page,
}) => {
  const many = Array.from({ length: 99 }, (_, index) =>
    productDto({ id: `new-${index}`, parentCategory: `Parent ${index}` }),
  );
  const queries = await answerProducts(page, [productDto({ parentCategory: 'x'.repeat(500) }), ...many]);
  await page.goto('/products');
  await expect(pills(page).getByRole('link', { name: 'Parent 0' })).toBeAttached();
  await expect(pills(page).getByRole('link')).toHaveCount(31);
  await expect(pills(page).getByRole('link', { name: 'xxx' })).toHaveCount(0);
  expect(queries.map((query) => query.get('limit'))).toContain('100');
});

test('[spec 2.listing.7, 2.listing.8, 2.listing.14] choosing or clearing a parent category starts at page 1, and another page starts at its top', async ({
  page,
}) => {
  await page.goto('/products?page=3');
  await pills(page).getByRole('link', { name: 'Fresh Fruits' }).click();
  await expect(page).toHaveURL('/products?parentCategory=Fresh+Fruits');
  await expect(heading(page)).toHaveText('Fresh Fruits');
  await expect(pills(page).locator('[aria-current]')).toHaveText('Fresh Fruits');
  await pagination(page).getByRole('link', { name: 'Page 2' }).click();
  await expect(page).toHaveURL('/products?parentCategory=Fresh+Fruits&page=2');
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await pills(page).getByRole('link', { name: 'All' }).click();
  await expect(page).toHaveURL('/products');
  await expect(heading(page)).toHaveText('All Products');
});

test('the old address of a renamed category leads to the new one', async ({ page }) => {
  await page.route('**/products?*', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback();
    const response = await route.fetch();
    const moved = `data-moved='[["soft fruit","Berries"]]' data-listing-index=`;
    await route.fulfill({ response, body: (await response.text()).replace('data-listing-index=', moved) });
  });
  await page.goto('/products?category=Soft+Fruit&sort=newest');
  await expect(page).toHaveURL('/products?category=berries&sort=newest');
  await expect(heading(page)).toHaveText('Berries');
});

test.describe('on a desktop', () => {
  test.use({ viewport: { width: 1280, height: 800 }, isMobile: false, hasTouch: false });

  const columns = (page: Page) =>
    page
      .locator('.results .cards')
      .evaluate((grid) => getComputedStyle(grid).gridTemplateColumns.split(' ').length);

  test('[spec 2.listing.9] the grid has the columns that were chosen last', async ({ page }) => {
    await page.goto('/products');
    await expect.poll(() => columns(page)).toBe(3);
    await page.getByRole('radio', { name: 'Grid view, 2 columns' }).check();
    await expect.poll(() => columns(page)).toBe(2);
    await page.reload();
    await expect.poll(() => columns(page)).toBe(2);
    await expect(page.getByRole('radio', { name: 'Grid view, 2 columns' })).toBeChecked();
  });
});

test('[spec 2.listing.10, 2.listing.12, 2.listing.16, 2.listing.17, 9.limits.2] a phone has no grid toggle, one page no pagination, and an empty listing a link to all products', async ({
  page,
}) => {
  await page.goto('/products?category=melons).');
  await expect(cards(page)).toHaveCount(4);
  await expect(pagination(page)).toBeHidden();
  await expect(page.getByRole('radio', { name: /Grid view/ })).toHaveCount(0);
  await page.goto('/products?category=nothing&featured=true');
  await expect(page.getByText('No products found with the selected filters.')).toBeVisible();
  await page.getByRole('link', { name: 'Clear Filters' }).click();
  await expect(page).toHaveURL('/products');
  await expect(cards(page)).toHaveCount(12);
});

test('every page can be reached on a narrow screen, by targets of 44 px', async ({ page }) => {
  for (const width of [320, 540]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/products?page=5');
    const links = pagination(page).getByRole('link');
    await expect(links).toHaveCount(9);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    for (const link of await links.all()) {
      const box = await link.boundingBox();
      expect(box?.height).toBe(44);
      expect(box?.width).toBeGreaterThanOrEqual(44);
      // Nothing overlaps it.
      await link.click({ trial: true });
    }
  }
});

test('[spec 2.listing.18, 2.listing.19] a failure can be retried', async ({ page, allowConsoleErrors }) => {
  allowConsoleErrors(FAILED_REQUEST);
  await failApi(page);
  await page.goto('/products?category=unknown');
  await expect(page.getByRole('alert').getByText('Failed to load products. Please try again.')).toBeVisible();
  await expect(pagination(page)).toBeHidden();
  await expectNoAxeFindings(page);
  await page.unrouteAll();
  await answerProducts(page, [productDto()]);
  await page.getByRole('button', { name: 'Try Again' }).click();
  await expect(cards(page)).toHaveCount(1);
});

test('[spec 2.listing.20, 2.listing.21] shows skeletons while loading, nothing else', async ({ page }) => {
  const release = await hold(page, '**/listing/category-berries/1.json');
  await page.goto('/products?category=berries');
  await expect(heading(page)).toHaveText('Berries');
  await expect(page.locator('[data-menu] [aria-current]')).toHaveText('Berries');
  await expect(cards(page).first()).toHaveCSS('height', '392px');
  await expect(page.getByRole('heading', { level: 3 })).toHaveCount(0);
  await expect(page.getByText('Showing')).toHaveCount(0);
  release();
  await expect(cards(page)).toHaveCount(8);
  await expect(cards(page).first()).toContainText('Berries');
});

test('[spec 2.listing.22] the featured listing has pages, a page beyond the end shows the last, and the filter can be removed', async ({
  page,
}) => {
  await page.goto('/products?featured=true&page=50');
  await expect(page.getByText('Showing 25–28 of 28')).toBeVisible();
  await expect(page).toHaveURL('/products?featured=true&page=3');
  await expect(heading(page)).toHaveText('All Products');
  await expect(cards(page)).toHaveCount(4);
  await page.getByRole('link', { name: 'Featured Remove filter' }).click();
  await expect(page).toHaveURL('/products');
  await page.goto('/products?page=999');
  await expect(page.getByText('Showing 97–101 of 101')).toBeVisible();
  await expect(page).toHaveURL('/products?page=9');
});

test('[spec 2.listing.26] updates a price permanently', async ({ page, shop, api }) => {
  const [, second] = await api.products();
  await watchShifts(page);
  await page.route(/api\/v1\/products\?page=1&limit=12$/, async (route) => {
    const answer = await fetch(`${shop.apiUrl}/api/v1/products?page=1&limit=12`);
    const body: { data: object[] } = await answer.json();
    Object.assign(body.data[0] ?? {}, { regularPrice: 1_234, discountedPrice: 1_000 });
    await route.fulfill({ json: body });
  });
  await page.goto('/products');
  await untilQuiet(page);
  await expect(cards(page).first()).toContainText(formatRupees(1_000));
  await expect(cards(page).first().locator('s')).toHaveText(formatRupees(1_234));
  await untilPainted(page);
  await expect(cards(page).first()).toContainText(formatRupees(1_000));
  await expect(cards(page).nth(1)).toContainText(second?.name ?? '?');
  await expect(cards(page)).toHaveCount(12);
  await expectNoShift(page);
});

test('Back restores filter and scroll position after a full load', async ({ page, api }) => {
  const query = '/products?category=tropical+fruits&page=1';
  await page.goto(query);
  await expect(page.locator('html')).not.toHaveClass(/listing-loading/);
  const ofCategory = (await api.products()).filter(({ category }) => category === 'Tropical Fruits');
  // The sixth is below the first view of a phone.
  const name = page.getByRole('heading', { name: ofCategory[5]?.name ?? '', exact: true });
  const card = page.getByRole('main').getByRole('listitem').filter({ has: name });
  await card.scrollIntoViewIfNeeded();
  const scroll = await page.evaluate(() => scrollY);
  expect(scroll).toBeGreaterThan(800);
  await card.getByRole('link').click();
  await expect(page).toHaveURL(/\/product\//);
  await page.goBack();
  await expect(page).toHaveURL(query);
  await expect(heading(page)).toHaveText('Tropical Fruits');
  await expect(card).toBeInViewport();
  const moved = async () => Math.abs((await page.evaluate(() => scrollY)) - scroll);
  await expect.poll(moved).toBeLessThan(50);
});
