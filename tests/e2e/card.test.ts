import type { Page } from 'playwright/test';
import { formatRupees } from '#domain/money.ts';
import { API_ORIGIN } from '#tests/support/api-address.ts';
import { expect, test } from '#tests/support/fixtures.ts';
import { answerProducts, type ProductDto, productDto } from '#tests/support/product-dtos.ts';
import { storedCart } from '#tests/support/samples.ts';

/** A listing that was not built shows the API's response. */
const show = async (page: Page, ...products: ProductDto[]) => {
  await answerProducts(page, products);
  await page.goto('/products?category=unknown');
  await expect(page.locator('.card')).toHaveCount(products.length);
  return page.locator('.card').first();
};

test('[spec 2.card.2, 2.card.3, 2.card.4, 2.card.5, 2.card.7, 2.card.12, 2.card.13, 2.card.14] cards show their prices and the possible actions', async ({
  page,
}) => {
  await show(
    page,
    productDto({ id: 'a b', regularPrice: 200, discountedPrice: 150 }),
    productDto({ id: 'dearer', regularPrice: 100, discountedPrice: 120 }),
    productDto({ id: 'sizes', attributes: [{ key: 'size', values: ['S', 'M'] }] }),
    productDto({ id: 'free', regularPrice: 0 }),
  );
  const cards = page.locator('.card');
  const [sale, dearer, choice, free] = [cards.nth(0), cards.nth(1), cards.nth(2), cards.nth(3)];
  await expect(sale.locator('s')).toHaveText(formatRupees(200));
  await expect(sale.locator('.price')).toContainText(`Sale price ${formatRupees(150)} Regular price`);
  await expect(sale.locator('.price-off')).toHaveText('−25%');
  await expect(sale.getByText('Sale', { exact: true })).toBeVisible();
  expect((await sale.locator('.card-media').boundingBox())?.height).toBe(300);
  const links = await sale.locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(new Set(links)).toEqual(new Set(['/product/a%20b']));
  await expect(sale.getByRole('link')).toHaveCount(1);
  await expect(sale.locator('.card-picture')).toHaveAttribute('tabindex', '-1');
  const add = sale.getByRole('button', { name: 'Add Test Mango to cart' });
  await expect(add).toBeVisible();
  expect(await add.boundingBox()).toMatchObject({ width: 48, height: 48 });

  await expect(dearer.locator('strong')).toHaveText(formatRupees(120));
  await expect(dearer.locator('s')).toBeHidden();
  await expect(dearer.locator('.sale-badge')).toHaveCount(0);

  await expect(choice.getByRole('button')).toHaveCount(0);
  const select = choice.getByRole('link', { name: 'Select options for Test Mango' });
  await expect(select).toHaveAttribute('href', '/product/sizes');

  await expect(free).toContainText('Price unavailable');
  await expect(free.getByRole('button')).toHaveCount(0);
  await expect(free.getByRole('link', { name: /Select/ })).toHaveCount(0);
});

test.describe('with a mouse', () => {
  test.use({ viewport: { width: 1280, height: 800 }, isMobile: false, hasTouch: false });

  test('[spec 2.card.6] hover and focus show the actions, hover zooms the picture', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.goto('/products');
    const card = page.locator('.card').nth(1);
    const actions = card.locator('.card-actions');
    await expect(actions).toHaveCSS('opacity', '0');
    await card.locator('.card-picture').hover();
    await expect(actions).toHaveCSS('opacity', '1');
    await expect(card.locator('img')).toHaveCSS('transform', 'matrix(1.05, 0, 0, 1.05, 0, 0)');
    await page.mouse.move(0, 0);
    await expect(actions).toHaveCSS('opacity', '0');
    await card.getByRole('button').focus();
    await expect(actions).toHaveCSS('opacity', '1');
  });

  test('on a phone that claims to hover, a tap opens the product, also where the button appears', async ({
    page,
  }) => {
    await page.goto('/products');
    const card = page.locator('.card', { has: page.locator('[data-add]') }).first();
    // The sheet that shows the actions has arrived.
    await card.hover({ position: { x: 60, y: 60 } });
    await expect(card.locator('.card-actions')).toHaveCSS('opacity', '1');
    await page.mouse.move(0, 0);
    await expect(card.locator('.card-actions')).toHaveCSS('opacity', '0');
    const { x = 0, y = 0, width = 0, height = 0 } = (await card.locator('[data-add]').boundingBox()) ?? {};
    const client = await page.context().newCDPSession(page);
    const touchPoints = [{ x: x + width / 2, y: y + height / 2 }];
    await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
    await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await expect(page).toHaveURL(/\/product\//);
    expect(await storedCart(page)).toEqual([]);
  });
});

test('[spec 2.card.8, 2.card.9] a picture that fails is replaced by an icon, and the next product shows its own', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/Failed to load resource/);
  await page.route('**/_astro/img/*', (route) => route.abort());
  await page.route('**/images/*', (route) => route.abort());
  await page.goto('/products');
  const card = page.locator('.card').first();
  await expect(card.getByText('Image unavailable')).toBeVisible();
  await expect(card.locator('img')).toBeHidden();
  expect((await card.locator('.card-media').boundingBox())?.height).toBe(300);
  await page.unrouteAll();
  await answerProducts(page, [productDto({ id: 'new-9', imgUrl: `${API_ORIGIN}/images/kiwi.webp` })]);
  await page.goto('/products');
  await expect(card).toHaveAttribute('data-id', 'new-9');
  await expect(card.getByText('Image unavailable')).toHaveCount(0);
  await expect(card.locator('img')).toBeVisible();
});

test('[spec 2.card.10, 2.card.11] adds one piece in the only size and colour, with the catalogue’s name even on a translated page', async ({
  page,
}) => {
  const attributes = [
    { key: 'size', values: ['One Size'] },
    { key: 'Colour', values: ['Red'] },
  ];
  const card = await show(page, productDto({ attributes }));
  await card.locator('.card-name a, .sr-only').evaluateAll((parts) => {
    for (const part of parts) part.textContent = 'आम';
  });
  await card.locator('.card-add').click();
  await expect
    .poll(() => storedCart(page))
    .toMatchObject([
      {
        id: 'new-1',
        name: 'Test Mango',
        quantity: 1,
        price: 100,
        selectedSize: 'One Size',
        selectedColor: 'Red',
      },
    ]);
});
