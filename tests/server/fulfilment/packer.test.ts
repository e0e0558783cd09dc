import { expect, test } from 'vitest';
import { formatPaise } from '#domain/money.ts';
import { expectPage, filledForm, mainText } from '#tests/server/support/admin.ts';
import { makeBatch, ORDERS, packing } from '#tests/server/support/admin-orders.ts';
import { ORDER_TOTAL } from '#tests/server/support/api.ts';
import { METHODS } from '#tests/server/support/payments.ts';
import { firstValue } from '#tests/server/support/rows.ts';

/** A shop with an order that is paid at the door and one that is not paid. */
async function packerShop() {
  const shop = await packing({ paymentProviders: ['cod', 'sandbox'] });
  const [atDoor, unpaid] = [await shop.place(), await shop.place()];
  await shop.submit(atDoor, { method: METHODS.cash });
  return { ...shop, atDoor, unpaid };
}

test('a packer sees of money only what to collect, and of customers only the address and the phone', async () => {
  const { packer, owner, atDoor, unpaid, email } = await packerShop();
  const batch = await makeBatch(packer, 'ship', { all: 'yes' });
  const pages = [
    '/admin',
    ORDERS,
    `${ORDERS}/${atDoor}`,
    `${ORDERS}/${unpaid}`,
    `${ORDERS}/${atDoor}/slip`,
    `${ORDERS}/batches/numbers`,
    batch.path,
  ];
  const texts = await Promise.all(pages.map(async (page) => (await packer.get(page)).text));
  const collect = `Collect ${formatPaise(ORDER_TOTAL)}`;
  expect(texts.filter((text) => text.includes(collect))).toHaveLength(3);
  for (const [index, text] of texts.entries()) {
    expect(text.replaceAll(collect, ''), pages[index]).not.toContain('₹');
    expect(mainText(text), pages[index]).not.toMatch(
      new RegExp(`${email}|History|Cancel (?:them|this|all)|Correct|Refund`),
    );
  }
  expect(mainText(texts[2] ?? '')).toMatch(/Asha Rao.*411001.*98765/);
  expect(mainText((await owner.get(`${ORDERS}/${atDoor}`)).text)).toContain(email);
});

test('the server refuses a packer what is for owners', async () => {
  const { packer, owner, atDoor, unpaid, email, statuses, db } = await packerShop();
  const found = (fields: Record<string, string>) =>
    packer.post(`${ORDERS}/search`, new URLSearchParams({ day: '', text: '', ...fields }));
  for (const path of [
    '?money=paid',
    `?customer=${await firstValue(db, 'SELECT id FROM customers')}`,
    '/returns',
    '/cash',
    '/export',
  ])
    expect((await packer.get(ORDERS + path)).status, path).toBe(403);
  for (const text of [email, 'asha＠', '@']) expect((await found({ text })).status, text).toBe(403);
  expect((await found({ text: 'Asha' })).status).toBe(200);
  for (const path of ['cancel', 'returned-to-origin', 'correct', 'refund', 'called'])
    expect((await packer.post(`${ORDERS}/${atDoor}/${path}`, new URLSearchParams())).status, path).toBe(403);

  // What an owner has begun, a packer neither starts nor sees.
  const { path } = await makeBatch(owner, 'cancel', { all: 'yes' });
  const start = filledForm((await owner.get(path)).text, `${path}/start`);
  expect((await packer.post(`${path}/start`, start)).status).toBe(403);
  expect((await packer.post(`${path}/stop`, start)).status).toBe(403);
  expect((await packer.get(path)).status).toBe(403);
  const page = (await packer.get(ORDERS)).text;
  const forged = filledForm(page, `${ORDERS}/batches/slips`, { money: 'unpaid', all: 'yes' });
  expect((await packer.post(`${ORDERS}/batches/slips`, forged)).status).toBe(403);
  expect((await packer.post(`${ORDERS}/batches/cancel`, forged)).status).toBe(403);
  expect(await statuses()).toEqual([1, 0]);

  const order = `${ORDERS}/${unpaid}`;
  await packer.submit(order, `${order}/process`);
  const ship = filledForm((await owner.get(order)).text, `${order}/ship`);
  expectPage(await packer.get(order), 200, 'Ask an owner before you ship it');
  expectPage(await packer.post(`${order}/ship`, ship), 409, 'Ask an owner before you ship it');
  await packer.submit(`${order}/take-back`, `${order}/take-back`, { reason: 'Not paid' });
  await owner.submit(`${order}/cancel`, `${order}/cancel`);
  expect((await packer.get(`${order}/take-back`)).status).toBe(403);
  const takeBack = filledForm((await owner.get(`${order}/take-back`)).text, `${order}/take-back`, {
    reason: 'x',
  });
  expect((await packer.post(`${order}/take-back`, takeBack)).status).toBe(403);
  expect(await statuses()).toEqual([1, 4]);
});
