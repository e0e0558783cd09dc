import * as v from 'valibot';
import { expect, test } from 'vitest';
import { LenientOrderSchema } from '#api/schema/order.ts';
import { CARRIER_KEYS, isCarrierUrl, trackingUrl } from '#domain/carrier.ts';
import { HOUR, MINUTE } from '#server/process/clock.ts';
import { expectPage, filledForm } from '#tests/server/support/admin.ts';
import { shopWithOrder } from '#tests/server/support/admin-orders.ts';

test('shows the customer the carrier, the tracking number with a link, and the time of each step', async () => {
  const { ask, pass, pay, id, email, press, read } = await shopWithOrder();
  const tracked = async () => {
    const { json } = await ask(`/orders/${id}?${new URLSearchParams({ contactInfo: email })}`);
    return v.parse(LenientOrderSchema, json);
  };
  const placed = await tracked();
  expect([placed.tracking, placed.events.length]).toEqual([undefined, 1]);
  pass(HOUR);
  await pay(id);
  pass(HOUR);
  await press('ship', { carrier: 'delhivery', tracking: 'AB 12/3' });
  const url = 'https://www.delhivery.com/track-v2/package/AB%2012%2F3';
  expect(await tracked()).toMatchObject({
    tracking: { carrier: 'Delhivery', number: 'AB 12/3', url },
    events: [
      { status: 0, at: '2026-01-05T10:00:00.000Z' },
      { status: 1, at: '2026-01-05T11:00:00.000Z' },
      { status: 2, at: '2026-01-05T12:00:00.000Z' },
    ],
  });
  for (const [typed, carrier, link] of [
    ['', '', ''],
    ['Ravi on his scooter', 'Ravi on his scooter', ''],
    ['BlueDart', 'Blue Dart', expect.stringContaining('bluedart.com')],
  ]) {
    await press('tracking', { carrier: typed, tracking: 'XY9' });
    expect((await tracked()).tracking).toEqual({ carrier, number: 'XY9', url: link });
  }
  expect(await read()).toContain('Tracking number: Blue Dart XY9');
  const alone = await press('tracking', { carrier: 'Blue Dart', tracking: '' });
  expectPage(alone, 422, 'Enter the tracking number as well');
  expect((await tracked()).tracking?.carrier).toBe('Blue Dart');
});

test('a tracking number that is added after the email about the shipping gets a short one, once', async () => {
  const { id, pay, press, pass, sendDue, sentTo, email, subjects } = await shopWithOrder();
  await pay(id);
  await press('ship');
  pass(2 * MINUTE);
  const before = await subjects();
  for (const tracking of ['XY9', 'XY9']) await press('tracking', { carrier: 'dtdc', tracking });
  pass(2 * MINUTE);
  await sendDue();
  const text = expect.stringContaining('DTDC XY9');
  const subject = expect.stringContaining('The tracking number of your order');
  expect(sentTo(email).slice(before.length)).toMatchObject([{ subject, text }]);
});

test('an order in two parcels is Shipped with the last, has both on the wire, and an email for each', async () => {
  const shop = await shopWithOrder();
  const { owner, page, press, current, subjects, ask, id, token, number } = shop;
  await shop.pay(id);
  const before = (await subjects()).length;
  const send = async (tracking: string) =>
    owner.post(
      `${page}/parcel`,
      filledForm((await owner.get(page)).text, `${page}/ship`, {
        carrier: tracking && 'dtdc',
        tracking,
      }),
    );
  expect((await send('P1')).status).toBe(303);
  expect((await subjects()).slice(before)).toEqual([`A part of your order ${number} is on its way`]);
  expectPage(await send(''), 409, 'has no number for this parcel');
  expectPage(await send('P1'), 409, 'has this parcel already');
  const parcel = (name: string) => ({ carrier: 'DTDC', number: name, url: expect.any(String) });
  expect(await current()).toMatchObject({ status: 1, tracking: parcel('P1'), parcels: [parcel('P1')] });
  expect((await ask(`/orders/${id}/cancel`, { token, json: {} })).status).toBe(409);
  expect(await shop.read()).toContain('A part of it has left.');
  await press('ship', { carrier: 'dtdc', tracking: 'P2' });
  const parcels = [parcel('P1'), parcel('P2')];
  expect(await current()).toMatchObject({ status: 2, tracking: parcel('P2'), parcels });
  shop.pass(2 * MINUTE);
  expect((await subjects()).slice(before + 1)).toEqual([`Your order ${number} is on its way`]);
  const texts = shop.sentTo(shop.email).map(({ text }) => text);
  expect(texts.slice(-2)).toEqual([expect.stringContaining('DTDC P1'), expect.stringContaining('DTDC P2')]);
  await shop.send('take-back', { reason: 'It is still here' });
  expect(await current()).toMatchObject({ status: 1, tracking: parcel('P1'), parcels: [parcel('P1')] });
});

test('the storefront accepts the tracking link of every carrier', () => {
  expect(CARRIER_KEYS.filter((key) => !isCarrierUrl(trackingUrl(key, 'AB/1 &?#')))).toEqual([]);
});

test.each([
  'http://www.delhivery.com/track-v2/package/1',
  'https://www.delhivery.com.evil.example/1',
  'https://evil.example/?https://www.delhivery.com/',
  'javascript:alert(1)',
])('the shop shows no link to %s', (url) => {
  const { tracking } = v.parse(LenientOrderSchema, {
    id: 'a',
    tracking: { carrier: 'Delhivery', number: '1', url },
  });
  expect(tracking).toEqual({ carrier: 'Delhivery', number: '1', url: '' });
});
