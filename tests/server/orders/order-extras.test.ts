import * as v from 'valibot';
import { expect, it } from 'vitest';
import { isGstin } from '#domain/gstin.ts';
import { extraError, ORDER_EXTRAS, type OrderExtra } from '#server/payments/order-extras.ts';
import { eraseExpiredData } from '#server/privacy/retention.ts';
import { mainText, readCsv } from '#tests/server/support/admin.ts';
import { emailsApi } from '#tests/server/support/emails.ts';
import { METHODS } from '#tests/server/support/payments.ts';
import { anyRow, rowsOf } from '#tests/server/support/rows.ts';

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
    const api = await emailsApi();
    const owner = await api.staff('owner');
    const { token, email } = await api.customer();
    const { id } = await api.placeOrder(token);
    const fields = { method: METHODS.qr, [name]: typed, ...(askedBy ? { [askedBy.name]: 'true' } : {}) };
    const form = await api.ask('/payments/fields', { token });
    expect(form.json).toMatchObject({ fields: expect.arrayContaining([expect.objectContaining({ name })]) });
    const pay = await api.ask('/payments', { token, json: { orderId: id, fields } });
    expect(pay.json).toMatchObject({ success: true });

    const again = await api.ask('/payments/fields', { token });
    expect(again.json).toMatchObject({
      fields: expect.arrayContaining([expect.objectContaining({ name, defaultValue: stored })]),
    });

    const page = `/admin/orders/${id}`;
    const csv = await owner.submit('/admin/orders/export', '/admin/orders/export', {});
    const [heads = [], cells = []] = readCsv(csv.text);
    await owner.submit(page, `${page}/process`);
    await owner.submit(page, `${page}/ship`, { carrier: '', tracking: '' });
    await api.round();
    const shown = {
      slip: mainText((await owner.get(`${page}/slip`)).text).includes(`${label.en}: ${stored}`),
      staff: mainText((await owner.get(page)).text).includes(`${label.en}: ${stored}`),
      accountant: cells[heads.indexOf(label.en)] === stored,
    };
    for (const [audience, isShown] of Object.entries(shown))
      expect([audience, isShown]).toEqual([audience, seenBy.some((each) => each === audience)]);
    const emails = api.server.received.map(({ text }) => text?.includes(`${label.en}: ${stored}`));
    expect(emails.includes(true)).toBe(seenBy.includes('customer'));
    const sent = [{ name, label: label.en, value: stored }];
    const orders = v.parse(v.object({ data: v.array(anyRow) }), (await api.ask('/orders', { token })).json);
    expect(orders.data[0]?.extras).toEqual(seenBy.includes('customer') ? sent : undefined);
    const exported = (await api.ask('/users/data', { token })).json;
    expect(exported).toMatchObject({ orders: [{ extras: { [name]: stored } }] });
    const tracked = await api.ask(`/orders/${id}?${new URLSearchParams({ contactInfo: email })}`);
    expect([tracked.status, JSON.stringify(tracked.json).includes(stored)]).toEqual([200, false]);

    await owner.submit(page, `${page}/deliver`);
    await api.ask('/users/delete', { token, json: {} });
    await api.round();
    await api.ask('/users/confirm-deletion', { json: { token: api.secretOf('account-data') } });
    api.pass(40 * 24 * 60 * 60_000);
    await eraseExpiredData(api.services);
    const left = await rowsOf(api.db, 'SELECT name, value FROM order_extras');
    expect(left).toEqual(isErased ? [] : [{ name, value: stored }]);
  },
);

it('an order in Hindi gets the payment form and its errors in Hindi, and the email too', async () => {
  const api = await emailsApi();
  const { token } = await api.customer();
  const { id } = await api.placeOrder(token, undefined, { language: 'hi' });
  const { text } = await api.ask('/payments/fields', { token });
  for (const { label } of ORDER_EXTRAS) expect(text).toContain(label.hi);
  const pay = (fields: object) =>
    api.ask('/payments', { token, json: { orderId: id, fields: { method: METHODS.qr, ...fields } } });
  expect((await pay({ business: 'true' })).json).toMatchObject({ error: 'GSTIN लिखें', target: 'gstin' });
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
  ['27AAPFU0939F1ZW', false],
  ['27AAPFU0993F1ZV', false],
  ['39AAPFU0939F1ZQ', false],
  ['00AAPFU0939F1ZB', false],
  ['27AAPFU0939F1QV', false],
  ['27aapfu0939f1zv', false],
])('%s is a GSTIN: %s', (text, isOne) => {
  expect(isGstin(text)).toBe(isOne);
});
