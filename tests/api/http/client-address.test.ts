import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { createClientAddress } from '#scripts/api/http/client-address.ts';

const FORWARDED = '192.0.2.1, 198.51.100.1';

it.each([
  [['10.0.0.0/8'], '10.20.30.40', '198.51.100.1'],
  [['10.0.0.0/8'], '::ffff:10.20.30.40', '198.51.100.1'],
  [['::ffff:10.0.0.1'], '10.0.0.1', '198.51.100.1'],
  [['10.0.0.0/8'], '11.0.0.1', '11.0.0.1'],
  [['10.0.0.0/8', '198.51.100.0/24'], '10.0.0.1', '192.0.2.1'],
  [['fd00::/8'], 'fd12:3456::1', '198.51.100.1'],
  [['::1'], '0:0:0:0:0:0:0:1', '198.51.100.1'],
  [['fd00::/8'], '2001:db8:1:2::1', '2001:db8:1:2::/64'],
  [['0.0.0.0/0'], 'unknown', 'unknown'],
  [[], '10.0.0.1', '10.0.0.1'],
])('[fault 39] behind the proxies %j the caller at %s is %s', async (proxies, remoteAddress, address) => {
  const clientAddress = createClientAddress(proxies);
  const app = new Hono().get('/', (context) => context.text(clientAddress(context)));
  const answer = await app.request(
    '/',
    { headers: { 'X-Forwarded-For': FORWARDED } },
    { incoming: { socket: { remoteAddress } } },
  );
  expect(await answer.text()).toBe(address);
});
