import sharp from 'sharp';
import { ADMIN_URL, enterAdmin } from '#tests/support/admin.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';

test.beforeEach(({ allowConsoleErrors }) => allowConsoleErrors(FAILED_REQUEST));

test.use({ changesCatalogue: true });

const picture = async (name: string) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await sharp({ create: { width: 80, height: 60, channels: 3, background: 'green' } })
    .jpeg()
    .toBuffer(),
});

test('an uploaded picture survives an error in the form and is shown in the preview', async ({
  page,
  shop,
}) => {
  await enterAdmin(page, shop, 'editor');
  await page.goto(`${ADMIN_URL}/catalogue/new`);
  for (const [label, text] of [
    ['Title', 'Pictured Mango'],
    ['Regular price', '12,50'],
    ['Category', 'Tropical Fruits'],
    ['Parent category', 'Fresh Fruits'],
  ] as const)
    await page.getByLabel(label, { exact: label === 'Category' }).fill(text);
  const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
  await page
    .getByLabel('Pictures')
    .setInputFiles([await picture('green.jpg'), { ...(await picture('drawing.svg')), buffer: drawing }]);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert')).toBeFocused();
  await expect(page.getByRole('alert')).toContainText('“drawing.svg” was not added. This is not a JPEG');
  await expect(page.getByLabel('Regular price')).toHaveValue('12,50');
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
  await expect(page.getByRole('status')).toContainText('Pictured Mango was added.');
  await expect(page.getByRole('img', { name: 'Picture 1' })).toBeVisible();
});
