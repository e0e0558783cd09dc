import type { Page } from 'playwright/test';
import { expectNoAxeFindings } from '#tests/support/axe.ts';
import { FAILED_REQUEST } from '#tests/support/console-guard.ts';
import { expect, test } from '#tests/support/fixtures.ts';
import { expectNoShift, watchShifts } from '#tests/support/shifts.ts';
import { answerProducts, wireProduct } from '#tests/support/wire-products.ts';

const cards = (page: Page) => page.locator('.results .card');
const pagination = (page: Page) => page.getByRole('navigation', { name: 'Pagination' });
const panel = (page: Page) => page.getByRole('dialog', { name: 'Sort and filter' });

const prices = (page: Page) =>
  page
    .locator('.results .card .price strong')
    .evaluateAll((all) => all.map(({ textContent }) => Number(textContent?.replace(/[^\d.]/g, ''))));

test('a listing is sorted and narrowed through its address, and Back undoes it', async ({ page }) => {
  await page.goto('/products?parentCategory=Fashion');
  await expect(cards(page)).toHaveCount(10);
  await page.getByRole('button', { name: 'Sort and filter' }).click();
  await expect(panel(page)).toBeVisible();
  await expectNoAxeFindings(page);
  await panel(page).getByRole('radio', { name: 'Price: low to high' }).check();
  await panel(page).getByRole('checkbox', { name: /^M\b/ }).check();
  const show = panel(page).getByRole('button', { name: /^Show \d+ products?$/ });
  const shown = Number(/\d+/.exec((await show.textContent()) ?? '')?.[0]);
  expect(shown).toBeGreaterThan(1);
  expect(shown).toBeLessThan(10);
  await show.click();
  await expect(page).toHaveURL('/products?parentCategory=Fashion&sort=price-asc&size=M');
  await expect(cards(page)).toHaveCount(shown);
  const found = await prices(page);
  expect(found).toEqual([...found].sort((a, b) => a - b));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Fashion');
  await expectNoAxeFindings(page);
  await page.goBack();
  await expect(page).toHaveURL('/products?parentCategory=Fashion');
  await expect(cards(page)).toHaveCount(10);
});

test('the whole shop by price, page by page', async ({ page, api }) => {
  const cheapest = (await api.products()).map(({ price }) => price).sort((a, b) => a - b);
  await page.goto('/products?sort=price-asc');
  await expect(page.getByText('Showing 1–12 of 101')).toBeVisible();
  expect(await prices(page)).toEqual(cheapest.slice(0, 12));
  await pagination(page).getByRole('link', { name: 'Page 2', exact: true }).click();
  await expect(page).toHaveURL('/products?page=2&sort=price-asc');
  await expect(page.getByText('Showing 13–24 of 101')).toBeVisible();
  expect(await prices(page)).toEqual(cheapest.slice(12, 24));
});

test('prices and offers narrow, other filters stay, and Clear Filters takes all off', async ({ page }) => {
  await page.goto('/products?category=berries&featured=true&sale=true&min=100&max=400');
  await expect(page.locator('html')).not.toHaveClass(/listing-loading/);
  for (const price of await prices(page)) expect(price).toBeLessThanOrEqual(400);
  await expect(cards(page).first().getByText('Sale', { exact: true })).toBeVisible();
  await page.goto('/products?category=berries&min=99999');
  await expect(page.getByText('No products found with the selected filters.')).toBeVisible();
  await page.getByRole('link', { name: 'Clear Filters' }).click();
  await expect(page).toHaveURL('/products');
});

test('a category that the build does not know stands unsorted, and is not told empty', async ({ page }) => {
  await answerProducts(page, [wireProduct({ category: 'Novelties' })]);
  await page.goto('/products?category=Novelties');
  await expect(cards(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Sort and filter' }).click();
  await expect(panel(page).getByText('This list cannot be sorted.')).toBeVisible();
  await expectNoAxeFindings(page);
  await page.goto('/products?category=Novelties&sort=price-asc');
  await expect(page).toHaveURL('/products?category=Novelties');
  await expect(cards(page)).toHaveCount(1);
});

test('no other products flash, and nothing moves', async ({ page }) => {
  await watchShifts(page);
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/facets.json', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/products?sort=price-desc');
  await expect(cards(page).first()).toHaveCSS('height', '392px');
  await expect(page.getByRole('heading', { level: 3 })).toHaveCount(0);
  release();
  await expect(page.getByText('Showing 1–12 of 101')).toBeVisible();
  await expectNoShift(page);
});

test('a listing whose script or table cannot be loaded says so instead of skeletons for ever', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(FAILED_REQUEST, /dynamically imported module/);
  for (const gone of ['**/_astro/draw.*.js', '**/facets.json']) {
    await page.route(gone, (route) => route.abort());
    await page.goto('/products?sort=price-asc');
    await expect(page.getByRole('alert').getByText('Failed to load products.')).toBeVisible();
    await expect(cards(page).first()).toBeHidden();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try Again' }).click();
    await expect(page.getByText('Showing 1–12 of 101')).toBeVisible();
  }
});

test('what draws a filtered listing is asked for at once, not file by file', async ({ page }) => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const asked: string[] = [];
  const html = await (await page.request.get('/products')).text();
  await page.route('**/_astro/*.js', async (route) => {
    const { pathname } = new URL(route.request().url());
    // The page's own scripts come; the files that they ask for are kept waiting.
    if (!html.includes(pathname)) {
      asked.push(pathname);
      await held;
    }
    await route.continue();
  });
  await page.goto('/products?category=berries', { waitUntil: 'commit' });
  for (const name of ['draw', 'card'])
    await expect.poll(() => asked.some((path) => path.includes(`/${name}.`))).toBe(true);
  release();
  await expect(cards(page)).toHaveCount(8);
});
