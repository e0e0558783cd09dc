import { expect, it } from 'vitest';
import { isGstin } from '#domain/gstin.ts';
import { extraError, ORDER_EXTRAS, type OrderExtra } from '#server/orders/order-extras.ts';
import { eraseExpiredData } from '#server/privacy/retention.ts';
import { DAY } from '#server/process/clock.ts';
import { readCsv } from '#tests/server/support/admin.ts';
import { ORDERS, packing, shopWithOrder } from '#tests/server/support/admin-orders.ts';
import { PASSWORD } from '#tests/server/support/api.ts';
import { METHODS } from '#tests/server/support/payments.ts';
import { rowsOf, runSql } from '#tests/server/support/rows.ts';

/** A value of the extra as a shopper types it, and as it is stored. */
function sampleOf({ name, options, placeholder, normalise = (text) => text }: OrderExtra) {
  const typed = options?.[0] ?? (placeholder || `A <b>${name}</b> & more`);
  return { typed, stored: normalise(typed) };
}

const GIFT: OrderExtra = {
  name: 'wrapping',
  label: { en: 'Wrapping', hi: 'पैकिंग' },
  type: 'select',
  options: ['Paper', 'Cloth'],
  seenBy: ['slip'],
  isErased: true,
};

it.each(ORDER_EXTRAS.map((extra) => [extra.name, extra] as const))(
  'an order carries %s to whom the table names, until it is erased',
  async (name, extra) => {
    const { askedBy, label, seenBy, isErased } = extra;
    const { typed, stored } = sampleOf(extra);
    const shop = await shopWithOrder();
    const { ask, token, id, page, press, read } = shop;
    const formHas = async (field: object) =>
      expect((await ask('/payments/fields', { token })).json).toMatchObject({
        fields: expect.arrayContaining([expect.objectContaining({ name, ...field })]),
      });
    await formHas({});
    const fields = { method: METHODS.qr, [name]: typed, ...(askedBy ? { [askedBy.name]: 'true' } : {}) };
    expect((await shop.submit(id, fields)).json).toMatchObject({ success: true });
    await formHas({ defaultValue: stored });

    const csv = await shop.owner.submit(`${ORDERS}/export`, `${ORDERS}/export`);
    const [heads = [], cells = []] = readCsv(csv.text);
    await runSql(shop.db, 'UPDATE orders SET received_paise = total_paise');
    await press('process');
    await press('ship');
    await shop.sendDue();
    const shownIn = (text = '') => text.includes(`${label.en}: ${stored}`);
    const { extras } = await shop.current();
    const shown = {
      slip: shownIn(await read(`${page}/slip`)),
      staff: shownIn(await read()),
      accountant: cells[heads.indexOf(label.en)] === stored,
      customer: shop.server.received.some(({ text }) => shownIn(text)),
    };
    for (const [audience, isShown] of Object.entries(shown))
      expect([audience, isShown]).toEqual([audience, seenBy.some((each) => each === audience)]);
    expect(extras).toEqual(shown.customer ? [{ name, label: label.en, value: stored }] : undefined);
    const exported = (await ask('/users/data', { token })).json;
    expect(exported).toMatchObject({ orders: [{ extras: { [name]: stored } }] });
    const tracked = await ask(`/orders/${id}?${new URLSearchParams({ contactInfo: shop.email })}`);
    expect([tracked.status, JSON.stringify(tracked.json).includes(stored)]).toEqual([200, false]);

    await press('deliver');
    await ask('/users/delete', { token, json: { current: PASSWORD } });
    await shop.sendDue();
    await ask('/users/confirm-deletion', { json: { token: shop.secretOf('account-data') } });
    shop.pass(40 * DAY);
    await eraseExpiredData(shop.services);
    const left = await rowsOf(shop.db, 'SELECT name, value FROM order_extras');
    expect(left).toEqual(isErased ? [] : [{ name, value: stored }]);
  },
);

it('an order in Hindi gets the payment form and its errors in Hindi', async () => {
  const { ask, token, place, submit } = await packing();
  const id = await place({}, { language: 'hi' });
  const { text } = await ask('/payments/fields', { token });
  for (const { label } of ORDER_EXTRAS) expect(text).toContain(label.hi);
  const refused = await submit(id, { method: METHODS.qr, business: 'true' });
  expect(refused.json).toMatchObject({ error: 'GSTIN लिखें', target: 'gstin' });
});

it('a select takes one of its options, and no text has characters that cannot be printed', () => {
  expect(extraError(GIFT, 'Paper', 'en')).toBeUndefined();
  expect(extraError(GIFT, 'Gold', 'en')).toBe('Wrapping: choose one of the options');
  const text: OrderExtra = { ...GIFT, type: 'text' };
  expect(extraError(text, 'two\nlines', 'en')).toBe('Wrapping has characters that cannot be printed');
  expect(extraError({ ...text, type: 'textarea' }, 'two\nlines', 'en')).toBeUndefined();
});

it.each([
  ['27AAPFU0939F1ZV', true],
  ['99AAPFU0939F1ZK', true],
  // A department that deducts tax, a body of the United Nations, and a service from abroad.
  ['27PNEA06819B1DE', true],
  ['0717UNO00157UNO', true],
  ['9917IRL29003OSG', true],
  ['0717UNO00157UNX', false],
  ['27AAPFU0939F1ZW', false],
  ['27AAPFU0993F1ZV', false],
  ['39AAPFU0939F1ZQ', false],
  ['00AAPFU0939F1ZB', false],
  ['27AAPFU0939F1QV', false],
  ['27aapfu0939f1zv', false],
])('%s is a GSTIN: %s', (text, isOne) => {
  expect(isGstin(text)).toBe(isOne);
});
