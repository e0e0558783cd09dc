import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addressLines } from '#domain/order.ts';
import { amountsOf, balanceLines, breakdownLines, shownAmount, toPay } from '#domain/order-amounts.ts';
import { isPaid, isPayable, statusOf, whyClosed } from '#domain/order-status.ts';
import { anOrder, MEERA } from '#tests/support/samples.ts';

it.each([
  [{}, ['Meera Kulkarni', '12 Rose Villa, MG Road', 'Pune, Maharashtra 411001']],
  [{ city: '', state: ' ' }, ['Meera Kulkarni', '12 Rose Villa, MG Road', '411001']],
  [{ state: '', postalCode: '' }, ['Meera Kulkarni', '12 Rose Villa, MG Road', 'Pune']],
  [{ fullName: ' ', address: '', city: '', state: '', postalCode: ' ' }, []],
])('the address is formatted as on a parcel, without missing parts: %j', (missing, lines) => {
  expect(addressLines({ ...MEERA, ...missing })).toEqual(lines);
});

const PAID = 'This order is already paid.';
const CANCELLED = 'This order was cancelled. It cannot be paid.';
const NOT_NOW = 'This order takes no payment at the moment.';

// The specification's values, repeated here on purpose.
it.each([
  ['[spec 4.status.1] [spec 4.status.8]', 0, 'Pending', 'yellow', undefined],
  ['[spec 4.status.2] [spec 4.status.8]', 1, 'Processing', 'blue', PAID],
  ['[spec 4.status.3] [spec 4.status.8]', 2, 'Shipped', 'purple', PAID],
  ['[spec 4.status.4] [spec 4.status.8]', 3, 'Delivered', 'green', PAID],
  ['[spec 4.status.5] [spec 4.status.8]', 4, 'Cancelled', 'red', CANCELLED],
  ['[spec 4.status.6] [spec 4.status.8]', 5, 'Unknown (5)', 'grey', NOT_NOW],
  ['[spec 4.status.6]', -1, 'Unknown (-1)', 'grey', NOT_NOW],
  ['[spec 4.status.6]', 1.5, 'Unknown (1.5)', 'grey', NOT_NOW],
  ['[spec 4.status.7] [spec 4.status.8]', 'unreadable', 'Unknown', 'grey', NOT_NOW],
] as const)(
  '%s [spec 2.orders.7] %s shows %s in %s, and for a payment: %s',
  (_, status, label, tone, closedReason) => {
    expect(statusOf(status)).toMatchObject({ label, tone });
    expect(statusOf(status).closedReason).toBe(closedReason);
    expect([isPayable({ status }), isPaid({ status })]).toEqual([
      closedReason === undefined,
      closedReason === PAID,
    ]);
  },
);

it.each([
  ['a new order', { status: 0, due: 89_900 }, undefined],
  ['one that staff moved on', { status: 1, due: 89_900 }, undefined],
  ['one that is delivered and half paid', { status: 3, due: 100 }, undefined],
  ['one that is paid', { status: 2, due: 0 }, PAID],
  [
    'cash on delivery',
    { status: 1, due: 179_800, payOnDelivery: true },
    'You pay ₹1,798 in cash on delivery',
  ],
  ['cash that came', { status: 2, due: 0, payOnDelivery: true }, PAID],
  ['a cancelled one', { status: 4, due: 0 }, CANCELLED],
  ['a status of a later version', { status: 7, due: 100 }, NOT_NOW],
])('where the API says what is due, it decides about a payment: %s', (_, order, reason) => {
  expect(whyClosed(order)).toBe(reason);
});

it('below the total are what became less to pay, and what is left of it', () => {
  const order = { ...anOrder(), due: 89_800, adjustments: [{ name: 'Lowered: A jar', paise: 50_000 }] };
  expect(balanceLines(order)).toEqual([
    ['Lowered: A jar', '-₹500'],
    ['Still to pay', '₹898'],
  ]);
  expect([toPay(order), toPay(anOrder())]).toEqual([89_800, anOrder().amounts.total]);
  expect(balanceLines({ ...anOrder(), due: anOrder().amounts.total })).toEqual([]);
  expect(balanceLines({ ...anOrder(), due: 0 })).toEqual([]);
});

it('[spec 2.orders.5, 4.cart.8] the total is the exact sum of price times quantity, in paise', () => {
  expect(amountsOf(anOrder().items).total).toBe(139_800);
  expect(amountsOf([], { charge: 60, freeFrom: null }).total).toBe(0);
  const item = fc.record({ paise: fc.nat(1e8), quantity: fc.integer({ min: 1, max: 9_999 }) });
  fc.assert(
    fc.property(fc.array(item, { maxLength: 40 }), (items) => {
      const exact = items.reduce((sum, { paise, quantity }) => sum + BigInt(paise) * BigInt(quantity), 0n);
      const { total } = amountsOf(items.map(({ paise, quantity }) => ({ price: paise / 100, quantity })));
      expect(BigInt(total)).toBe(exact);
    }),
    { numRuns: 10_000 },
  );
});

it('a total that is too large is not a safe integer', () => {
  const most = { price: 10_000_000_000, quantity: 9_000 };
  expect(Number.isSafeInteger(amountsOf([most]).total)).toBe(true);
  expect(Number.isSafeInteger(amountsOf([most, { price: 7_199_254_740.99, quantity: 1 }]).total)).toBe(true);
  expect(Number.isSafeInteger(amountsOf([most, most]).total)).toBe(false);
});

it('[spec 2.cart.8] the lines are the subtotal and free shipping', () => {
  const { lines } = amountsOf(anOrder().items);
  expect(lines.map((line) => [line.name, shownAmount(line)])).toEqual([
    ['Subtotal', '₹1,398'],
    ['Shipping', 'Free'],
  ]);
  expect(shownAmount({ id: 'subtotal', name: 'Goods', paise: 0 })).toBe('₹0');
});

it.each([
  ['nothing is charged', 100, { charge: null, freeFrom: null }, 0],
  ['0 is free', 100, { charge: 0, freeFrom: null }, 0],
  ['below the limit', 498.99, { charge: 60.5, freeFrom: 499 }, 60_50],
  ['at the limit', 499, { charge: 60.5, freeFrom: 499 }, 0],
  ['without a limit', 99_999, { charge: 60.5, freeFrom: null }, 60_50],
  ['a limit alone charges nothing', 1, { charge: null, freeFrom: 499 }, 0],
])('[spec 3.store.7] charges delivery: %s', (_, price, delivery, paise) => {
  const { lines, total } = amountsOf([{ price, quantity: 1 }], delivery);
  expect(lines[1]).toEqual({ id: 'delivery', name: 'Shipping', paise });
  expect(total).toBe(Math.round(price * 100) + paise);
});

it('[spec 2.orders.10] shows the lines only if they add information to the total', () => {
  const shipping = { name: 'Shipping', paise: 4_000 };
  const lines = [{ name: 'Subtotal', paise: 10_000 }, shipping, { name: 'Discount', paise: -500 }];
  expect(breakdownLines({ lines, total: 13_500 })).toEqual(lines);
  expect(breakdownLines(amountsOf(anOrder().items))).toEqual([]);
  expect(breakdownLines({ lines: [], total: 13_500 })).toEqual([]);
});
