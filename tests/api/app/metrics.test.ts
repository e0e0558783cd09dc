import { expect, it } from 'vitest';
import { testApi } from '#tests/api/support/api.ts';
import { METHODS, shopper } from '#tests/api/support/payments.ts';

const TOKEN = 'a token for whoever watches';
const settings = { metricsToken: TOKEN };

type Api = Pick<Awaited<ReturnType<typeof testApi>>, 'ask'>;

/** The value of each series of which the name begins so. */
async function read({ ask }: Api, name: string): Promise<Record<string, number>> {
  const { text } = await ask('/metrics', { token: TOKEN });
  const lines = text.split('\n').filter((line) => line.startsWith(name));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

it('is not found without METRICS_TOKEN, like any other path', async () => {
  const { ask } = await testApi();
  const [metrics, unknown] = [await ask('/metrics', { token: TOKEN }), await ask('/no-such-call')];
  expect([metrics.status, metrics.text]).toEqual([404, unknown.text]);
});

it.each([
  {},
  { Authorization: 'Bearer' },
  { Authorization: `Bearer ${TOKEN}x` },
  { Authorization: `Basic ${TOKEN}` },
  { Authorization: TOKEN },
])('is a 401 without the right token: %j', async (headers) => {
  const { ask } = await testApi({ settings });
  const { status, text } = await ask('/metrics', { headers });
  expect([status, text]).toEqual([401, '{"error":"Unauthorized"}']);
});

it('measures answers by method, route and status, and never by what a caller made up', async () => {
  const api = await testApi({ settings });
  const { token, email } = await api.customer('asha@example.com');
  for (const id of ['mango', 'pineapple', 'nothing']) await api.ask(`/products/${id}`);
  for (const path of ['/api/v1/a', '/api/v1/b', '/api/v1/c/d?contactInfo=asha@example.com'])
    await api.ask(path);
  for (const method of ['PURGE', 'PROPFIND', 'HEAD']) await api.ask('/products', { method });
  await api.ask(`/orders/${crypto.randomUUID()}?contactInfo=${email}`);
  await api.ask('/accountInfo', { token });

  const counts = await read(api, 'http_request_duration_seconds_count');
  const count = (method: string, route: string, status: number) =>
    counts[`http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`];
  expect(count('GET', '/api/v1/products/:id', 200)).toBe(2);
  expect(count('GET', '/api/v1/products/:id', 404)).toBe(1);
  expect(count('GET', '/api/v1/orders/:id', 404)).toBe(1);
  expect(count('GET', '/*', 404)).toBe(3);
  expect(count('other', '/*', 405)).toBe(2);
  expect(count('POST', '/api/v1/users/authorize', 200)).toBe(1);
  expect(await read(api, 'shop_password_hashes')).toEqual({
    'shop_password_hashes{state="running"}': 0,
    'shop_password_hashes{state="waiting"}': 0,
  });
  const sums = await read(api, 'http_request_duration_seconds_sum');
  expect(Math.min(...Object.values(sums))).toBeGreaterThan(0);

  const { text } = await api.ask('/metrics', { token: TOKEN });
  for (const secret of [email, token, 'mango', 'PURGE', '203.0.113.7']) expect(text).not.toContain(secret);
});

it('counts orders once for each key, and payments as they come into a state', async () => {
  const { order, ask, submit, qrReference, report, token } = await shopper(settings);
  const orders = () => read({ ask }, 'shop_orders_placed_total');
  expect(await orders()).toEqual({ shop_orders_placed_total: 1 });
  const again = {
    token,
    json: { products: { mango: 1 }, shippingAddress: order.shippingAddress },
    headers: { 'Idempotency-Key': 'key' },
  };
  const answers = [await ask('/orders', again), await ask('/orders', again)];
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect(await orders()).toEqual({ shop_orders_placed_total: 2 });

  const reference = await qrReference();
  await submit({ method: METHODS.qr });
  await report(reference, { outcome: 'failed' });
  await report(reference);
  await report(reference);
  expect(await read({ ask }, 'shop_payments_total')).toEqual({
    'shop_payments_total{state="started"}': 1,
    'shop_payments_total{state="failed"}': 1,
    'shop_payments_total{state="paid"}': 1,
    'shop_payments_total{state="flagged"}': 0,
    'shop_payments_total{state="refund_due"}': 0,
    'shop_payments_total{state="refunded"}': 0,
    'shop_payments_total{state="to_collect"}': 0,
  });
});
