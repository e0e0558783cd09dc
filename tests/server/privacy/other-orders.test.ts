import { expect, it } from 'vitest';
import { eraseExpiredData } from '#server/privacy/retention.ts';
import { DAY, MINUTE } from '#server/process/clock.ts';
import { cellsOf, makeBatch, ORDERS, packing, shopWithOrder } from '#tests/server/support/admin-orders.ts';
import { ADDRESS, MANGO } from '#tests/server/support/api.ts';
import { METHODS } from '#tests/server/support/payments.ts';
import { rowsOf, runSql, valuesOf } from '#tests/server/support/rows.ts';

/* What the staff know of a customer: other orders, blocks and notes. */

const BLOCKS = '/admin/customers/blocks';

const day = (at: number): string => new Date(at + 5.5 * 3_600_000).toISOString().slice(0, 10);

const NOT_THIS = { email: '', phone: '', address: '', postalCode: '' };

async function shopWithBlocks() {
  const shop = await packing({ paymentProviders: ['cod', 'sandbox'] });
  const block = (fields: Record<string, string>, from = BLOCKS) =>
    shop.owner.submit(from, BLOCKS, { until: day(shop.now()), reason: 'Refused three parcels', ...fields });
  const order = async (token: string, address: Partial<typeof ADDRESS> = {}, more = {}) =>
    shop.order(token, { [MANGO]: 1 }, { shippingAddress: { ...ADDRESS, ...address }, ...more });
  return { ...shop, block, order };
}

const ELSEWHERE = { address: '7 Hill Lane', postalCode: '400001', phone: '90000 00001' };

const ASK_US = 'We cannot take this order here. Please contact us, and we will help you.';

it("the order's page says what became of other orders of the account, the phone and the address, and packers see none", async () => {
  const shop = await packing();
  const { owner, packer, place, customer, placeOrder } = shop;
  const other = (await customer()).token;
  const at = async (address: Partial<typeof ADDRESS>) =>
    placeOrder(other, { [MANGO]: 1 }, { shippingAddress: { ...ADDRESS, ...address } });
  const delivered = await place(ELSEWHERE);
  const refused = await at({ ...ELSEWHERE, phone: '0 98765-43210' });
  const cancelled = await at({ ...ELSEWHERE, address: '12, m.g. ROAD', postalCode: '411 001' });
  const stranger = await at(ELSEWHERE);
  await runSql(shop.db, 'UPDATE orders SET received_paise = total_paise');
  for (const [id, ...steps] of [
    [delivered, 'process', 'ship', 'deliver'],
    [refused.id, 'process', 'ship'],
  ])
    for (const step of steps) await shop.pressOf(String(id), step);
  await shop.sendOf(refused.id, 'returned-to-origin', { why: 'refused' });
  await shop.sendOf(cancelled.id, 'cancel');

  const path = `${ORDERS}/${await place()}`;
  const cells = cellsOf((await owner.get(path)).text);
  const after = (number: string) => cells.slice(cells.indexOf(number) + 2, cells.indexOf(number) + 5);
  expect(after(cancelled.number)).toEqual(['Cancelled', expect.any(String), 'address']);
  expect(after(refused.number)).toEqual(['Refused at the door', expect.any(String), 'phone']);
  expect((await owner.get(path)).text).toContain(`href="${ORDERS}/${delivered}"`);
  expect(cells).toContain('Delivered');
  expect(cells).toContain('account');
  expect(cells).not.toContain(stranger.number);
  expect((await packer.get(path)).text).not.toContain('Other orders');
  const indexes = await rowsOf(shop.db, 'SELECT address_key AS key FROM orders WHERE id = ?', cancelled.id);
  expect(indexes).toEqual([{ key: '411001 12mgroad' }]);
});

it('a blocked account, phone or address orders nothing in any spelling, until the end of the last day', async () => {
  const shop = await shopWithBlocks();
  await shop.block({ ...NOT_THIS, email: 'a.sha+x@gmail.com', scope: 'orders' });
  await shop.block({ ...NOT_THIS, phone: '+91 91234 56789', scope: 'orders' });
  await shop.block({ ...NOT_THIS, address: '5, Lake View Rd', postalCode: '560001', scope: 'orders' });
  const other = (await shop.customer()).token;
  const mailbox = (await shop.customer('asha@googlemail.com')).token;
  const refusedFor = async (...given: Parameters<typeof shop.order>) => {
    const { status, json } = await shop.order(...given);
    return status === 422 ? json : status;
  };
  const refusal = { error: ASK_US, message: ASK_US, code: 'order_refused', target: 'order' };
  expect(await refusedFor(mailbox, ELSEWHERE)).toEqual(refusal);
  expect(await refusedFor(other, { ...ELSEWHERE, phone: '09123456789' })).toEqual(refusal);
  expect(await refusedFor(other, { address: '5 LAKE-VIEW ROAD', postalCode: '560 001' })).toEqual(refusal);
  expect(await refusedFor(mailbox, ELSEWHERE, { language: 'hi' })).toMatchObject({
    message: expect.stringContaining('कृपया हमसे संपर्क करें'),
  });
  expect(await refusedFor(other, ELSEWHERE)).toBe(201);
  expect(await valuesOf(shop.db, 'SELECT count(*) FROM orders')).toEqual([1]);
  await shop.passWatched(DAY);
  expect(await refusedFor(mailbox, ELSEWHERE)).toBe(201);
});

it('a block for cash leaves paying online, also for an order that was placed before, and is lifted by hand', async () => {
  const shop = await shopWithBlocks();
  const placed = await shop.place();
  const from = `${BLOCKS}?order=${placed}`;
  expect((await shop.block({ ...NOT_THIS, phone: ADDRESS.phone, scope: 'cash' }, from)).location).toBe(
    `${ORDERS}/${placed}`,
  );
  const page = (await shop.owner.get(`${ORDERS}/${placed}`)).text;
  expect(page).toContain('Refused three parcels');
  expect((await shop.packer.get(`${ORDERS}/${placed}`)).text).not.toContain('Refused three parcels');
  const again = await shop.place({}, { language: 'hi' });
  const cash = async (id: string) => (await shop.submit(id, { method: METHODS.cash })).json;
  expect(await cash(placed)).toEqual({
    success: false,
    error: 'This order cannot be paid in cash on delivery. Please pay online, or contact us.',
  });
  expect(await cash(again)).toMatchObject({ error: expect.stringContaining('ऑनलाइन भुगतान करें') });
  await shop.pay(again);
  expect(await shop.statuses()).toEqual([0, 1]);
  const [id] = await valuesOf(shop.db, 'SELECT id FROM blocks');
  await shop.owner.submit(BLOCKS, `${BLOCKS}/${id}/lift`);
  expect(await cash(placed)).toMatchObject({ success: true });
  const actions = await valuesOf(shop.db, "SELECT action FROM admin_log WHERE action LIKE '%block%'");
  expect(actions).toEqual(['blocked', 'lifted a block']);
  const log = JSON.stringify(await rowsOf(shop.db, 'SELECT * FROM admin_log'));
  expect(log).not.toMatch(/Refused three parcels|98765/);
});

it('a shop that takes only cash takes no order of those from whom it takes no cash', async () => {
  const shop = await packing({ paymentProviders: ['cod'] });
  const form = { ...NOT_THIS, email: shop.email, scope: 'cash', until: day(shop.now()), reason: 'No' };
  await shop.owner.submit(BLOCKS, BLOCKS, form);
  expect((await shop.order(shop.token)).status).toBe(422);
});

it('a form without anybody to block, with half an address or a day that is over is refused at its fields', async () => {
  const { block, now, db } = await shopWithBlocks();
  const wrong = [
    { ...NOT_THIS, scope: 'cash' },
    { ...NOT_THIS, scope: 'cash', address: '5 Lake View' },
    { ...NOT_THIS, scope: 'cash', phone: '98765 43210', until: day(now() - DAY) },
    { ...NOT_THIS, scope: 'cash', phone: '98765 43210', until: day(now() + 400 * DAY) },
  ];
  for (const fields of wrong) expect((await block(fields)).status).toBe(422);
  expect(await rowsOf(db, 'SELECT * FROM blocks')).toEqual([]);
});

it('a block goes on after its account is deleted, by a hash alone, and its row is deleted 90 days after its end', async () => {
  const shop = await shopWithBlocks();
  await shop.place();
  await shop.block({ ...NOT_THIS, email: shop.email, phone: ADDRESS.phone, scope: 'orders' });
  const data = (await shop.ask('/users/data', { token: shop.token })).json;
  expect(data).toMatchObject({ blocks: [{ reason: 'Refused three parcels' }, { scope: 'orders' }] });
  const [id] = await valuesOf(shop.db, "SELECT id FROM customers WHERE email LIKE 'asha%'");
  await shop.owner.submit(`/admin/customers/${id}`, `/admin/customers/${id}/delete`);
  const stored = JSON.stringify(await rowsOf(shop.db, 'SELECT * FROM blocks'));
  expect(stored).not.toMatch(/asha|98765|Refused three parcels/);
  const { token } = await shop.customer('asha+2@example.com');
  expect((await shop.order(token, ELSEWHERE)).status).toBe(422);
  expect((await shop.order((await shop.customer()).token, { phone: '9876543210' })).status).toBe(422);
  await shop.passWatched(92 * DAY);
  await eraseExpiredData(shop.services);
  expect(await rowsOf(shop.db, 'SELECT * FROM blocks')).toEqual([]);
});

it('notes of the staff are in the export of personal data alone, and erased with the account', async () => {
  const shop = await shopWithOrder();
  const { owner, packer, page, token, email, id } = shop;
  const [customerId] = await valuesOf(shop.db, 'SELECT id FROM customers');
  const account = `/admin/customers/${customerId}`;
  await owner.submit(page, `${page}/note`, { body: 'Secret one\nof two lines' });
  shop.pass(1);
  await owner.submit(page, `${page}/note`, { body: 'Secret bubble wrap', forPacking: 'on' });
  shop.pass(1);
  await packer.submit(page, `${page}/note`, { body: 'Secret dent' });
  await owner.submit(account, `${account}/note`, { body: 'Secret friend' });
  expect((await owner.submit(page, `${page}/note`, { body: ' ' })).status).toBe(422);
  const text = await shop.read();
  expect(text).toMatch(
    /Secret one of two lines ?owner@example\.com, .*Secret bubble wrap.*Secret dent ?packer@/,
  );
  const packed = (await packer.get(page)).text;
  expect([packed.includes('Secret bubble wrap'), packed.includes('Secret one')]).toEqual([true, false]);

  await shop.pay(id);
  await owner.submit(page, `${page}/ship`);
  shop.pass(3 * MINUTE);
  await shop.sendDue();
  const tracked = `/orders/${id}?${new URLSearchParams({ contactInfo: email })}`;
  const seen = [
    JSON.stringify(shop.server.received),
    (await shop.ask('/orders', { token })).text,
    (await shop.ask(tracked)).text,
    (await packer.get(`${page}/slip`)).text,
    (await makeBatch(owner, 'slips', { order: id })).text,
    JSON.stringify(await rowsOf(shop.db, 'SELECT * FROM admin_log')),
  ].join('\n');
  expect(seen).not.toContain('Secret');
  const data = await shop.ask('/users/data', { token });
  expect(data.json).toMatchObject({ staffNotes: [{ text: 'Secret friend' }, {}, {}, { about: 'order' }] });
  expect(data.text).not.toContain('owner@example.com');
  await owner.submit(account, `${account}/delete`);
  expect(await rowsOf(shop.db, 'SELECT * FROM staff_notes')).toEqual([]);
  await owner.submit(page, `${page}/note`, { body: 'Secret still' });
  await owner.submit(page, `${page}/deliver`);
  await shop.passWatched(30 * DAY);
  await eraseExpiredData(shop.services);
  expect(await rowsOf(shop.db, 'SELECT * FROM staff_notes')).toEqual([]);
});
