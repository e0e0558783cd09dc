import type { Page } from 'playwright/test';
import { expect, test } from '#tests/support/fixtures.ts';
import { expectNoAxeFindings, expectNoShift, watchShifts } from '#tests/support/page-checks.ts';

/* What helps to decide on a product's page, beyond the specification. */

const recent = (page: Page) => page.getByRole('region', { name: 'Recently viewed' });

test('shows recently viewed products, newest first, without a shift', async ({ page, api }) => {
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
