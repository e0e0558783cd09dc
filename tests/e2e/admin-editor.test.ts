import sharp from 'sharp';
import { policy } from '#server/store/stored-store.ts';
import { ADMIN_URL, enterAdmin, expectFits } from '#tests/support/admin.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';

test.beforeEach(({ allowConsoleErrors }) => allowConsoleErrors(FAILED_REQUEST));

test.use({ changesCatalogue: true });
// Another worker would take longer to start than these tests.
test.describe.configure({ mode: 'default' });

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

/** A preview may load neither the shop's fonts nor scripts, including those of the test runner. */
const KEPT_OUT = /^(?:Loading the font .* violates|Blocked script execution in .*\/preview')/;

test('an editor writes and previews a policy', async ({ page, shop, allowConsoleErrors }) => {
  allowConsoleErrors(KEPT_OUT);
  await enterAdmin(page, shop, 'editor');
  await page.getByRole('link', { name: 'Policies', exact: true }).first().click();
  await page.getByRole('link', { name: 'Return Policy' }).click();
  const text = page.getByLabel('Text');
  await page.getByText('Words that are filled in').click();
  await text.fill('# Returns\n\nAsk .\n\n<script>x()</script>');
  await text.evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(15, 15));
  await page.getByRole('button', { name: '{{companyEmail}}' }).click();
  await expect(text).toBeFocused();
  await page.keyboard.type('!');
  await expectFits(page);
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Preview' }).click();
  const preview = await opened;
  await expect(preview.getByRole('heading', { level: 1 })).toHaveText('Return Policy');
  const article = preview.getByRole('article');
  await expect(article.getByRole('heading', { level: 2 })).toHaveText('Returns');
  await expect(article).toContainText('Ask care@freshfruits.example!.');
  const widthOf = (of: typeof page) =>
    of.getByRole('article').evaluate((found) => [found.clientWidth, getComputedStyle(found).fontSize]);
  const live = await page.context().newPage();
  await live.goto(`${shop.url}/return`);
  await expect.poll(() => widthOf(preview)).toEqual(await widthOf(live));
  await Promise.all([preview.close(), live.close()]);
  expect(await policy(shop.api.db, 'return')).toBeUndefined();
});

test('an editor previews the home page before saving it', async ({ page, shop, allowConsoleErrors }) => {
  allowConsoleErrors(KEPT_OUT);
  await enterAdmin(page, shop, 'editor');
  await page.goto(`${ADMIN_URL}/store`);
  await page.getByLabel('Headline of the home page').fill('Mangoes\nare here');
  await page.getByRole('textbox', { name: 'Delivery costs (optional)' }).fill('60');
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Preview the home page' }).click();
  const preview = await opened;
  await expect(preview.getByRole('heading', { level: 1 })).toHaveText('Mangoesare here');
  await expect(preview.locator('.trust')).toContainText('Shipping ₹60 on every order');
  const picture = preview.locator('.hero img');
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  await expect(preview.getByText('Nothing is saved yet.')).toBeInViewport();
});
