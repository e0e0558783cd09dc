import type { Page } from 'playwright/test';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { expectAlive, openTranslated } from '#tests/support/other-programs.ts';
import { expectNoAxeFindings } from '#tests/support/page-checks.ts';
import { answerProducts, productDto } from '#tests/support/product-dtos.ts';

const cards = (page: Page) => page.locator('.results .card');

const panel = (page: Page) => page.getByRole('dialog', { name: 'Sort and filter' });

const prices = (page: Page) =>
  page
    .locator('.results .card .price strong')
    .evaluateAll((all) => all.map(({ textContent }) => Number(textContent?.replace(/[^\d.]/g, ''))));

test('sorting and filters are in the address, and Back undoes them', async ({ page }) => {
  await openTranslated(page, '/products?parentCategory=Fashion');
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
  await expectAlive(page);
  await show.click();
  await expect(page).toHaveURL('/products?parentCategory=Fashion&sort=price-asc&size=M');
  await expect(cards(page)).toHaveCount(shown);
  const found = await prices(page);
  expect(found).toEqual([...found].sort((a, b) => a - b));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Fashion');
  await page.goBack();
  await expect(page).toHaveURL('/products?parentCategory=Fashion');
  await expect(cards(page)).toHaveCount(10);
});

test('a category that was not built is shown unsorted, not as empty', async ({ page }) => {
  await answerProducts(page, [productDto({ category: 'Novelties' })]);
  await page.goto('/products?category=Novelties');
  await expect(cards(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Sort and filter' }).click();
  await expect(panel(page).getByText('This list cannot be sorted.')).toBeVisible();
  await expectNoAxeFindings(page);
  await page.goto('/products?category=Novelties&sort=price-asc');
  await expect(page).toHaveURL('/products?category=Novelties');
  await expect(cards(page)).toHaveCount(1);
});

test('shows that a script or the filter index cannot be loaded', async ({ page, allowConsoleErrors }) => {
  allowConsoleErrors(FAILED_REQUEST, /dynamically imported module/);
  for (const blocked of ['**/_astro/render.*.js', '**/filter-index.json']) {
    await page.route(blocked, (route) => route.abort());
    await page.goto('/products?sort=price-asc');
    await expect(page.getByRole('alert').getByText('Failed to load products.')).toBeVisible();
    await expect(cards(page).first()).toBeHidden();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try Again' }).click();
    await expect(page.getByText('Showing 1–12 of 101')).toBeVisible();
  }
});

test('prices are read as people write them; others are an error of their field', async ({ page }) => {
  await page.goto('/products');
  await page.getByRole('button', { name: 'Sort and filter' }).click();
  const [from, to] = [panel(page).getByLabel(/^From/), panel(page).getByLabel(/^To/)];
  const show = panel(page).getByRole('button', { name: /^Show/ });
  await from.fill('cheap');
  await show.click();
  await expect(from).toBeFocused();
  await expect(from).toHaveAccessibleDescription('Type an amount such as 500 or 1,299');
  await from.fill('1,000/-');
  await to.fill('₹ ५००');
  await show.click();
  await expect(page).toHaveURL('/products?min=500&max=1000');
  await expect(page.getByText(/^Showing/)).toBeVisible();
  for (const price of await prices(page)) expect(Math.abs(price - 750)).toBeLessThanOrEqual(250);
});

test('each list has its own address and title, also under another spelling of it', async ({ page }) => {
  const canonical = () =>
    page.locator('link[rel=canonical]').evaluate(({ href }: HTMLLinkElement) => {
      const { pathname, search } = new URL(href);
      return pathname + search;
    });
  for (const [address, own, title] of [
    ['/products', '/products', /^All Products \|/],
    ['/products?page=2', '/products?page=2', /^All Products, page 2/],
    ['/products?page=999', '/products?page=9', /^All Products, page 9 /],
    ['/products?Category=+CITRUS++fruits', '/products?category=citrus+fruits', /^Citrus Fruits \|/],
    ['/products?parentCategory=FASHION&Color=navy', '/products?parentCategory=Fashion', /^Fashion, filtered/],
  ] as const) {
    await page.goto(address);
    await expect(page.getByText(/^Showing/)).toBeVisible();
    await expect.poll(canonical).toBe(own);
    await expect(page).toHaveTitle(title);
  }
  await expect(page.getByRole('button', { name: 'Sort and filter' })).toHaveAttribute('aria-current', 'true');
  await page.goto('/products?sort=nonsense&min=cheap');
  await expect(page.getByText('Showing 1–12 of 101')).toBeVisible();
  await expect(page).toHaveTitle(/^All Products \|/);
  await expect(page.getByRole('button', { name: 'Sort and filter' })).not.toHaveAttribute('aria-current');
});
