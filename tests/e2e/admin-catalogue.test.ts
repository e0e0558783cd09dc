import type { Page } from 'playwright/test';
import sharp from 'sharp';
import { formatRupees } from '#domain/money.ts';
import { ADMIN_URL, enterAdmin } from '#tests/support/admin.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { tabTo } from '#tests/support/page.ts';

const CATALOGUE = `${ADMIN_URL}/catalogue`;

test.use({ changesCatalogue: true });

const picture = async (name: string, background: string) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await sharp({ create: { width: 80, height: 60, channels: 3, background } })
    .jpeg()
    .toBuffer(),
});

/** Adds a product. Returns the address of its page. */
async function addProduct(page: Page, title: string): Promise<string> {
  await page.goto(`${CATALOGUE}/new`);
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Regular price').fill('200');
  await page.getByLabel('Category', { exact: true }).fill('Tropical Fruits');
  await page.getByLabel('Parent category').fill('Fresh Fruits');
  await page.getByLabel('Pictures').setInputFiles([await picture('red.jpg', 'red')]);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('status')).toContainText(`${title} was added.`);
  return page.url();
}

test('an editor changes a price by keyboard, on a phone', async ({ page, shop }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await enterAdmin(page, shop, 'editor');
  await addProduct(page, 'Keyboard Mango');
  await page.goto(CATALOGUE);
  await tabTo(page.getByLabel('Search'), 60);
  await page.keyboard.type('keyboard mango');
  await page.keyboard.press('Enter');
  await page.waitForURL(/keyboard/);
  await tabTo(page.getByRole('link', { name: 'Keyboard Mango' }), 60);
  await page.keyboard.press('Enter');
  await tabTo(page.getByLabel('Sale price'), 60);
  await page.keyboard.type(formatRupees(149.5));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toContainText('Keyboard Mango was saved.');
  await expect(page.getByLabel('Sale price')).toHaveValue('149.50');
});

test('an uploaded picture survives an error in the form and is shown in the preview', async ({
  page,
  shop,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(FAILED_REQUEST);
  await enterAdmin(page, shop, 'editor');
  const url = await addProduct(page, 'Pictured Mango');
  await page.getByLabel('Regular price').fill('12,50');
  await page.getByLabel('Pictures').setInputFiles([
    await picture('green.jpg', 'green'),
    {
      name: 'drawing.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    },
  ]);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert')).toBeFocused();
  await expect(page.getByRole('alert')).toContainText('“drawing.svg” was not added. This is not a JPEG');
  await expect(page.getByLabel('Regular price')).toHaveValue('12,50');
  await page.getByLabel('Place of picture 2').fill('1');
  await page.getByLabel('Regular price').fill('250');
  await page.getByLabel('Sale price').fill('200');
  await page.getByRole('button', { name: 'Preview' }).click();
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview).toBeFocused();
  await expect(preview).toContainText('−20%');
  const shown = preview.locator('img').first();
  await expect
    .poll(() => shown.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth))
    .toBe(80);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('status')).toContainText('Pictured Mango was saved.');
  await page.goto(url);
  await expect(page.getByRole('img', { name: 'Picture 2' })).toBeVisible();
});
