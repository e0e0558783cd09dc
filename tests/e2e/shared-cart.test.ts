import { formatRupees } from '#domain/money.ts';
import type { Product } from '#domain/product.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { expectNoAxeFindings } from '#tests/support/page-checks.ts';
import { isPlain, storedCart } from '#tests/support/samples.ts';

const sized = ({ price, sizes }: Product): boolean => price > 0 && sizes.length > 1;

test('shares a cart as a link that asks first', async ({ page, context, api, shop, filledCart }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/cart');
  await page.getByRole('button', { name: 'Share cart' }).click();
  const field = page.getByLabel('Link to a copy of this cart');
  const link = await field.inputValue();
  expect(link).toBe(`${shop.url}/cart?items=${filledCart[0]?.id}:2`);
  await expect(page.getByRole('link', { name: 'WhatsApp' })).toHaveAttribute(
    'href',
    new RegExp(`^https://wa\\.me/\\?text=.*${encodeURIComponent(link)}$`),
  );
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText('Copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  await expectNoAxeFindings(page);

  const own = await api.product(sized);
  const size = own.sizes[1] ?? '';
  await page.goto(`/cart?items=${own.id}:3:${encodeURIComponent(size)}`);
  const asked = page.getByRole('region', { name: 'A cart was shared with you' });
  await expect(asked).toContainText(`Today it comes to ${formatRupees(own.price * 3)}.`);
  expect(await storedCart(page)).toHaveLength(1);
  await expectNoAxeFindings(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);

  await asked.getByRole('button', { name: 'Replace my cart' }).click();
  await expect(page).toHaveURL('/cart');
  await expect(page.getByRole('heading', { name: 'Your cart' })).toBeFocused();
  expect(await storedCart(page)).toMatchObject([
    { id: own.id, quantity: 3, selectedSize: size, price: own.price, name: own.name },
  ]);
  await page.getByRole('button', { name: 'Undo' }).click();
  expect(await storedCart(page)).toEqual(filledCart);
});

test('a tampered link brings only what is sold', async ({ page, api, allowConsoleErrors }) => {
  allowConsoleErrors(FAILED_REQUEST);
  const good = await api.product(isPlain);
  const tee = await api.product(sized);
  const items = `${good.id}:1e309:%3Cimg%20src=x%3E,${good.id}:2,no-such-fruit:1,${tee.id}:1:XXXXL,%E0%A4%A,__proto__:1`;
  await page.goto(`/cart?items=${items}`);
  const asked = page.getByRole('region', { name: 'A cart was shared with you' });
  await expect(asked).toContainText('“no-such-fruit” is no longer sold.');
  await expect(asked).toContainText(`“${tee.name}” needs a size or a colour.`);
  await expect(asked).toContainText('A part of the link could not be read, or was too long.');
  await expect(asked.getByRole('listitem').filter({ hasText: `${good.name} × 2` })).toBeVisible();
  await asked.getByRole('button', { name: 'Put in my cart' }).click();
  expect(await storedCart(page)).toMatchObject([{ id: good.id, quantity: 2, price: good.price }]);

  await page.goto(`/cart?items=${good.id}:5`);
  await page.getByRole('button', { name: 'Keep my cart' }).click();
  await expect(page).toHaveURL('/cart');
  expect(await storedCart(page)).toMatchObject([{ id: good.id, quantity: 2 }]);
});
