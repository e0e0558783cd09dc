import { ADMIN_URL, enterAdmin } from '#tests/support/admin.ts';
import { expect, test } from '#tests/support/fixtures.ts';
import { tabTo } from '#tests/support/page.ts';

const ORDERS = `${ADMIN_URL}/orders`;

test('a packer ships an order with a tracking number by keyboard', async ({ page, shop, api }) => {
  const shopper = await api.newSignedIn();
  const { id, number } = await api.order(shopper);
  await api.pay(shopper, id);
  await enterAdmin(page, shop, 'packer');
  await tabTo(page.getByRole('link', { name: 'Orders', exact: true }).first(), 80);
  await page.keyboard.press('Enter');
  await page.waitForURL(ORDERS);
  await tabTo(page.getByRole('link', { name: number, exact: true }).first(), 80);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: `Order ${number}` })).toBeVisible();
  await tabTo(page.getByRole('textbox', { name: 'Tracking number (optional)', exact: true }).first(), 80);
  await page.keyboard.type('EM123456789IN');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toHaveText(`Order ${number} is Shipped now.`);
  await expect(page.getByText('Tracking number: EM123456789IN')).toBeVisible();
  await expect(
    page.getByRole('cell', { name: 'shipped: status Shipped, tracking EM123456789IN' }),
  ).toBeVisible();
  expect((await api.orders(shopper))[0]?.status).toBe(2);
});

test('each packing slip prints on one sheet of A5 or A4', async ({ page, shop, api }) => {
  const shopper = await api.newSignedIn();
  const sold = (await api.products()).filter(({ price }) => price > 0).slice(0, 8);
  const quantities = Object.fromEntries(sold.map(({ id }, index) => [id, index + 1]));
  const orders = [await api.order(shopper, { quantities }), await api.order(shopper, { quantities })];
  await enterAdmin(page, shop, 'packer');
  await page.goto(`${ORDERS}/${orders[0]?.id}/slip`);
  await expect(page.getByRole('button', { name: 'Print' })).toBeVisible();
  const sheets = async (format: 'A4' | 'A5'): Promise<number> =>
    (await page.pdf({ format })).toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  expect([await sheets('A5'), await sheets('A4')]).toEqual([1, 1]);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('navigation')).toBeHidden();
  await page.emulateMedia({ media: null });

  await page.goto(ORDERS);
  for (const { number } of orders) await page.getByRole('checkbox', { name: `Tick ${number}` }).check();
  await page.getByRole('button', { name: 'Packing slips' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    orders.map(({ number }) => `Order ${number}`),
  );
  expect([await sheets('A5'), await sheets('A4')]).toEqual([2, 2]);
});
