import type { Page } from 'playwright/test';
import { formatRupees } from '#domain/money.ts';
import { expectNoAxeFindings } from '#tests/support/axe.ts';
import { expect, test } from '#tests/support/fixtures.ts';
import { expectNoShift, watchShifts } from '#tests/support/shifts.ts';

/* What helps to decide on a product's page, beyond the specification. */

const recent = (page: Page) => page.getByRole('region', { name: 'Recently viewed' });
const related = (page: Page) => page.getByRole('region', { name: 'You may also like' });

test('the price comes with what a kilo and a piece cost, taxes, net quantity and origin', async ({
  page,
  api,
}) => {
  const mango = await api.product(({ name }) => name === 'Alphonso Mango, box of 6');
  await page.goto(`/product/${mango.id}`);
  await expect(
    page.getByText(`${formatRupees(599.33)}/kg · ${formatRupees(149.83)}/piece · Inclusive of all taxes`),
  ).toBeVisible();
  await expect(page.getByText('Net weight 1.5 kg · Pieces 6 · Origin Ratnagiri, Maharashtra')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Specifications' })).not.toContainText('featured');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await expectNoAxeFindings(page);
});

test('a new price brings its unit price with it', async ({ page, shop, api }) => {
  const mango = await api.product(({ name }) => name === 'Alphonso Mango, box of 6');
  await page.route(`**/api/v1/products/${mango.id}`, async (route) => {
    const answer = await fetch(`${shop.apiUrl}/api/v1/products/${mango.id}`);
    const body: { data: object } = await answer.json();
    await route.fulfill({ json: { data: { ...body.data, regularPrice: 600, discountedPrice: null } } });
  });
  await page.goto(`/product/${mango.id}`);
  await expect(
    page.getByText(`${formatRupees(400)}/kg · ${formatRupees(100)}/piece · Inclusive of all taxes`),
  ).toBeVisible();
});

test('four others of the category stand below, with their prices', async ({ page, api }) => {
  const products = await api.products();
  const mango = await api.product(({ name }) => name === 'Alphonso Mango, box of 6');
  const siblings = products.filter(({ category, id }) => category === mango.category && id !== mango.id);
  await page.goto(`/product/${mango.id}`);
  const links = related(page).getByRole('link');
  await expect(links).toHaveCount(4);
  for (const link of await links.all()) {
    const words = await link.innerText();
    const sibling = siblings.find(({ name }) => words.startsWith(name));
    expect(words).toContain(formatRupees(sibling?.price ?? 0));
    await expect(link).toHaveAttribute('href', `/product/${sibling?.id}`);
  }
});

test('products looked at before stand below the others, newest first, without a shift', async ({
  page,
  api,
}) => {
  await watchShifts(page);
  const [first, second, third] = await api.products();
  await page.goto(`/product/${first?.id}`);
  await expect.poll(() => page.evaluate(() => localStorage.getItem('recently-viewed'))).toContain(first?.id);
  await expect(recent(page)).toBeHidden();
  await page.goto(`/product/${second?.id}`);
  await expect(recent(page).getByRole('link')).toHaveText([new RegExp(first?.name ?? '?')]);
  await page.goto(`/product/${third?.id}`);
  await expect(recent(page).getByRole('link')).toHaveText([
    new RegExp(second?.name ?? '?'),
    new RegExp(first?.name ?? '?'),
  ]);
  await expectNoShift(page);
  await recent(page).scrollIntoViewIfNeeded();
  await expectNoAxeFindings(page);
  await recent(page).getByRole('link').last().click();
  await expect(page).toHaveURL(`/product/${first?.id}`);
});

test('what is stored of them is read with care, eight at most', async ({ page, api }) => {
  const products = await api.products();
  const kept = products.slice(1, 30).map(({ id, name, price }) => ({ id, name, price }));
  await page.addInitScript(
    (stored) => localStorage.setItem('recently-viewed', stored),
    JSON.stringify([null, 42, { id: '' }, { id: 'x', name: '<b>X', price: 'much' }, ...kept]),
  );
  await page.goto(`/product/${products[0]?.id}`);
  await expect(recent(page).getByRole('link').first()).toHaveText(/^\s*<b>X\s*Price unavailable\s*$/);
  expect(await recent(page).getByRole('link').count()).toBeLessThanOrEqual(8);
});

test('the pictures can be looked at closely, by keyboard too', async ({ page, api }) => {
  const product = await api.product(({ images }) => images.length > 1);
  await page.goto(`/product/${product.id}`);
  const count = product.images.length;
  for (let number = 1; number <= count; number += 1)
    await expect(page.getByAltText(`${product.name}, ${number} of ${count}`, { exact: true })).toHaveCount(1);
  const zoom = page.getByRole('button', { name: 'Zoom in' });
  const panel = await page.locator('.gallery-panel').boundingBox();
  const button = await zoom.boundingBox();
  expect((button?.x ?? 0) + (button?.width ?? 0)).toBeLessThan((panel?.x ?? 0) + (panel?.width ?? 0));
  expect(button?.x ?? 0).toBeGreaterThan((panel?.x ?? 0) + (panel?.width ?? 0) / 2);
  await zoom.press('Enter');
  for (const name of ['Previous', 'Next', 'Close'])
    await expect(page.getByRole('dialog').getByRole('button', { name })).toBeInViewport({ ratio: 1 });
  const dialog = page.getByRole('dialog', { name: new RegExp(`${product.name}, 1 of`) });
  await expect(dialog).toBeVisible();
  const picture = dialog.getByRole('img');
  expect((await picture.boundingBox())?.width).toBeGreaterThan(360 * 2);
  await expectNoAxeFindings(page);
  await dialog.getByRole('button', { name: 'Next' }).press('Enter');
  await expect(page.getByRole('dialog', { name: new RegExp(`${product.name}, 2 of`) })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(zoom).toBeFocused();
});
