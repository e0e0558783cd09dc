import * as v from 'valibot';
import { expect, test } from 'vitest';
import { OrderSchema } from '#api/schema/order.ts';
import { CARRIER_KEYS, isCarrierUrl, trackingUrl } from '#domain/carrier.ts';
import { HOUR } from '#server/process/clock.ts';
import { adminApi, expectPage, mainText } from '#tests/server/support/admin.ts';
import { emailsApi } from '#tests/server/support/emails.ts';

test('shows the customer the carrier, the tracking number with a link, and the time of each step', async () => {
  const api = await adminApi();
  const packer = await api.staff('packer');
  const { token, email } = await api.customer();
  const { id } = await api.placeOrder(token);
  const page = `/admin/orders/${id}`;
  const tracked = async () => {
    const { json } = await api.ask(`/orders/${id}?${new URLSearchParams({ contactInfo: email })}`);
    return v.parse(OrderSchema, json);
  };
  const placed = await tracked();
  expect([placed.tracking, placed.events.length]).toEqual([undefined, 1]);
  api.pass(HOUR);
  await packer.submit(page, `${page}/process`);
  api.pass(HOUR);
  await packer.submit(page, `${page}/ship`, { carrier: 'delhivery', tracking: 'AB 12/3' });
  expect(await tracked()).toMatchObject({
    tracking: {
      carrier: 'Delhivery',
      number: 'AB 12/3',
      url: 'https://www.delhivery.com/track-v2/package/AB%2012%2F3',
    },
    events: [
      { status: 0, at: '2026-01-05T10:00:00.000Z' },
      { status: 1, at: '2026-01-05T11:00:00.000Z' },
      { status: 2, at: '2026-01-05T12:00:00.000Z' },
    ],
  });
  await packer.submit(page, `${page}/tracking`, { carrier: '', tracking: 'XY9' });
  expect((await tracked()).tracking).toEqual({ carrier: '', number: 'XY9', url: '' });
  await packer.submit(page, `${page}/tracking`, { carrier: 'Ravi on his scooter', tracking: 'XY9' });
  expect((await tracked()).tracking).toEqual({ carrier: 'Ravi on his scooter', number: 'XY9', url: '' });
  expect(mainText((await packer.get(page)).text)).toContain('Tracking number: Ravi on his scooter XY9');

  await packer.submit(page, `${page}/tracking`, { carrier: 'BlueDart', tracking: 'XY9' });
  expect((await tracked()).tracking).toMatchObject({
    carrier: 'Blue Dart',
    url: expect.stringContaining('bluedart.com'),
  });

  const alone = await packer.submit(page, `${page}/tracking`, { carrier: 'Blue Dart', tracking: '' });
  expectPage(alone, 422, 'Enter the tracking number as well');
  expect((await tracked()).tracking?.carrier).toBe('Blue Dart');
});

test('a tracking number that is added after shipping is emailed once', async () => {
  const api = await emailsApi();
  const packer = await api.staff('packer');
  const { token } = await api.customer();
  const { id } = await api.placeOrder(token);
  const page = `/admin/orders/${id}`;
  await packer.submit(page, `${page}/process`);
  await packer.submit(page, `${page}/ship`);
  api.pass(2 * 60_000);
  await api.round();
  const before = api.server.received.length;
  for (const number of ['XY9', 'XY9'])
    await packer.submit(page, `${page}/tracking`, { carrier: 'dtdc', tracking: number });
  api.pass(2 * 60_000);
  await api.round();
  expect(api.server.received.slice(before).map(({ text }) => text?.includes('DTDC XY9'))).toEqual([true]);
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
  const { tracking } = v.parse(OrderSchema, {
    id: 'a',
    tracking: { carrier: 'Delhivery', number: '1', url },
  });
  expect(tracking).toEqual({ carrier: 'Delhivery', number: '1', url: '' });
});
