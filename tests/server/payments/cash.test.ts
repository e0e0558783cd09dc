import { describe, expect, it } from 'vitest';
import { formatPaise, toRupees } from '#domain/money.ts';
import { STATUSES } from '#domain/order-status.ts';
import { callerAt } from '#server/http/caller.ts';
import { cashRefusal } from '#server/payments/providers/cash/cash-share.ts';
import type { CashLimits } from '#server/payments/providers/provider.ts';
import { ORDERS, packing } from '#tests/server/support/admin-orders.ts';
import { catalogue, ORDER_TOTAL, testApi, withCustomer } from '#tests/server/support/api.ts';
import { METHODS } from '#tests/server/support/payments.ts';
import { rowsOf, runSql, valuesOf } from '#tests/server/support/rows.ts';

const CONFIRM = 'Confirm your email (we have just sent a link), or pay online.';

it('an unconfirmed account pays five orders an hour in cash, and all once its email is confirmed', async () => {
  const shop = await packing({ paymentProviders: ['cod', 'sandbox'] });
  await runSql(shop.db, 'UPDATE customers SET email_verified = 0');
  const pay = async (id: string) => (await shop.submit(id, { method: METHODS.cash })).json;
  for (let count = 0; count < 5; count += 1)
    expect(await pay(await shop.place())).toMatchObject({ success: true });
  const sixth = await shop.place({}, { language: 'hi' });
  expect(await pay(sixth)).toMatchObject({ success: false, error: expect.stringContaining('ईमेल पक्का करें') });
  const id = await shop.place();
  expect(await pay(id)).toEqual({ success: false, error: CONFIRM });
  expect((await shop.owner.get(`${ORDERS}/${id}`)).text).toContain('Pending');
  await shop.sendDue();
  const json = { token: shop.secretOf('account-change', shop.email) };
  expect((await shop.ask('/users/confirm-email', { json, token: shop.token })).status).toBe(200);
  expect(await pay(id)).toMatchObject({ success: true });
});

it('a line has 200 cash orders an hour of accounts that nobody knows; known customers and shops without emails have all', async () => {
  const shop = await packing({ paymentProviders: ['cod'] });
  const [known] = await valuesOf(shop.db, 'SELECT id FROM customers');
  const choose = (account: string, line = '203.0.113.9', services = shop.services) =>
    cashRefusal(services, { account, ...callerAt(line) }, 'en');
  for (let count = 0; count < 200; count += 1) expect(await choose(`stranger ${count}`)).toBe(undefined);
  expect(await choose('one more')).toBe(CONFIRM);
  expect(await choose('one more', '203.0.113.10')).toBe(undefined);
  expect(await choose(String(known))).toBe(undefined);
  await runSql(shop.db, 'UPDATE customers SET email_verified = 0');
  const id = await shop.place();
  expect(await choose(String(known))).toBe(CONFIRM);
  await runSql(shop.db, 'UPDATE orders SET status = ? WHERE id = ?', STATUSES.delivered.code, id);
  expect(await choose(String(known))).toBe(undefined);
  const silent = { ...shop.services, settings: { ...shop.services.settings, mail: undefined } };
  expect(await choose('one more', '203.0.113.9', silent)).toBe(undefined);
});

describe('an order in cash', () => {
  const shopWith = async (limits: Partial<CashLimits>) => {
    const cashOnDelivery = { most: null, pinCodes: [], ...limits };
    const content = { ...catalogue, storeInfo: { ...catalogue.storeInfo, cashOnDelivery } };
    const { token, ...api } = await withCustomer(
      testApi({ settings: { paymentProviders: ['cod', 'sandbox'] }, catalogue: content }),
    );
    const { id } = await api.placeOrder(token);
    const pay = (orderId = id) =>
      api.ask('/payments', { token, json: { orderId, fields: { method: METHODS.cash } } });
    return { ...api, token, id, pay };
  };

  it('confirms an order that is paid on delivery once, even from two tabs', async () => {
    const shop = await shopWith({});
    const answers = (await Promise.all([shop.pay(), shop.pay()])).map(({ json }) => json);
    expect(answers).toContainEqual({ success: true, redirectUrl: expect.stringMatching(/order-success$/) });
    const error = `You pay ${formatPaise(ORDER_TOTAL)} in cash on delivery`;
    expect((await shop.pay()).json).toEqual({ success: false, error });
    expect(await rowsOf(shop.db, 'SELECT state FROM payment_attempts')).toEqual([]);
  });

  it.each([
    [{ most: toRupees(ORDER_TOTAL - 1) }, false],
    [{ pinCodes: ['400', '56'] }, false],
    [{ most: toRupees(ORDER_TOTAL) }, true],
    [{ pinCodes: ['400001', '4110'] }, true],
  ])('with %j an order is taken: %s', async (limits, success) => {
    const { json } = await (await shopWith(limits)).pay();
    expect(json).toMatchObject(success ? { success } : { success, error: expect.stringMatching(/\w+/) });
  });
});
