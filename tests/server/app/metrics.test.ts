import { expect, it } from 'vitest';
import { testApi, withCustomer } from '#tests/server/support/api.ts';
import { METHODS, shopper } from '#tests/server/support/payments.ts';

const TOKEN = 'a token for monitoring';
const settings = { metricsToken: TOKEN };

it('is not found without METRICS_TOKEN, and a 401 without the right token', async () => {
  const [off, on] = [await testApi(), await testApi({ settings })];
  expect((await off.ask('/metrics', { token: TOKEN })).status).toBe(404);
  for (const Authorization of ['', 'Bearer', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`, TOKEN])
    expect((await on.ask('/metrics', { headers: { Authorization } })).status).toBe(401);
});

it('measures responses by method, route and status, never by text of the caller', async () => {
  const { ask, token, email } = await withCustomer(testApi({ settings }), 'asha@example.com');
  for (const path of ['/products/mango', '/products/none', '/api/v1/c/d?contactInfo=asha@example.com'])
    await ask(path);
  await ask('/products', { method: 'PURGE' });
  await ask(`/orders/${crypto.randomUUID()}?contactInfo=${email}`, { token });
  const { text } = await ask('/metrics', { token: TOKEN });
  for (const labels of [
    'method="GET",route="/api/v1/products/:id",status="404"',
    'method="GET",route="/api/v1/orders/:id",status="404"',
    'method="GET",route="/*",status="404"',
    'method="other",route="/*",status="405"',
    'method="POST",route="/api/v1/users/authorize",status="200"',
  ])
    expect(text).toContain(`http_request_duration_seconds_count{${labels}} 1`);
  expect(text).toContain('shop_password_hashes{state="waiting"} 0');
  for (const secret of [email, token, 'mango', 'PURGE', '203.0.113.7']) expect(text).not.toContain(secret);
});

it('counts orders, and payments by the states they enter', async () => {
  const { ask, submit, qrReference, report } = await shopper(settings);
  const reference = await qrReference();
  await submit({ method: METHODS.qr });
  for (const outcome of ['failed', 'succeeded', 'succeeded'] as const) await report(reference, { outcome });
  const { text } = await ask('/metrics', { token: TOKEN });
  expect(text).toContain('shop_orders_placed_total 1');
  for (const state of ['open', 'failed', 'done'])
    expect(text).toContain(`shop_payments_total{state="${state}"} 1`);
});
