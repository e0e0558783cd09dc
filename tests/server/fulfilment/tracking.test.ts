import * as v from 'valibot';
import { expect, test } from 'vitest';
import { LenientOrderSchema } from '#api/schema/order.ts';
import { CARRIER_KEYS, isCarrierUrl, trackingUrl } from '#domain/carrier.ts';
import { HOUR, MINUTE } from '#server/process/clock.ts';
import { expectPage } from '#tests/server/support/admin.ts';
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

test('a tracking number that is added after shipping is emailed once', async () => {
  const { id, pay, press, pass, round, sentTo, email, subjects } = await shopWithOrder();
  await pay(id);
  await press('ship');
  pass(2 * MINUTE);
  const before = await subjects();
  for (const tracking of ['XY9', 'XY9']) await press('tracking', { carrier: 'dtdc', tracking });
  pass(2 * MINUTE);
  await round();
  const text = expect.stringContaining('DTDC XY9');
  expect(sentTo(email).slice(before.length)).toMatchObject([{ text }]);
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
