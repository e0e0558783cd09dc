import { ADMIN_URL, addToStaff, enterAdmin, expectFits } from '#tests/support/admin.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';

const ORDERS = `${ADMIN_URL}/orders`;

test.beforeEach(({ allowConsoleErrors }) => allowConsoleErrors(FAILED_REQUEST));

test('error, password, not-found and confirmation pages pass axe and fit the screen', async ({
  page,
  shop,
}) => {
  await page.goto(`${ADMIN_URL}/sign-in`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toBeFocused();
  await expectFits(page);
  const { link } = await addToStaff(shop, 'packer');
  await page.goto(link);
  await expectFits(page);
  await enterAdmin(page, shop, 'owner');
  await page.goto(`${ADMIN_URL}/nothing`);
  await expectFits(page);
  await page.goto(`${ADMIN_URL}/staff`);
  await page.getByRole('link', { name: 'The packer' }).first().click();
  await page.getByText(/^Remove The packer/).click();
  await expectFits(page);
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
