import { createMiddleware } from 'hono/factory';
import { describe, expect, it } from 'vitest';
import { API_CALLS, OTHER_ROUTES, SANDBOX_ROUTES } from '#scripts/api/app/calls.ts';
import { API_BASE } from '#scripts/api/shop/call.ts';
import { ADDRESS, MANGO, PASSWORD, SITE, testApi } from '#tests/api/support/api.ts';
import { CONTRACT_CALLS } from '#tests/contract/support/calls.ts';

const posts = API_CALLS.filter(({ method }) => method === 'POST').map(({ path }) => path);

/** The other calls are tried by tests/contract. */
const isOwn = (path: string): boolean => !CONTRACT_CALLS.some((call) => call.path === path);

describe('every call', () => {
  it.each(posts.filter(isOwn))('[fault 38] POST %s takes JSON only', async (path) => {
    const { ask } = await testApi();
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) {
      expect((await ask(path, { body: '{}', headers: { 'Content-Type': type } })).status).toBe(415);
    }
  });

  it.each(posts)('[fault 93] POST %s takes at most 64 KB, told or streamed', async (path) => {
    const { ask, customer, app } = await testApi();
    const { token } = await customer();
    const headers = { 'Content-Type': 'application/json' };
    const large = JSON.stringify({ email: 'x'.repeat(64 * 1024) });
    expect((await ask(path, { token, body: large, headers })).status).toBe(413);
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 8_192;
        controller.enqueue(new Uint8Array(8_192).fill(32));
      },
    });
    const streamed = new Request(`http://localhost${API_BASE}${path}`, {
      method: 'POST',
      body: endless,
      headers: { ...headers, Authorization: `Bearer ${token}` },
      duplex: 'half',
    } as RequestInit);
    expect((await app.request(streamed)).status).toBe(413);
    expect(sent).toBeLessThan(200_000);
  });

  it.each([
    ...API_CALLS.filter(({ path }) => isOwn(path)).map(({ path }) => API_BASE + path),
    ...[...OTHER_ROUTES, ...SANDBOX_ROUTES].map(({ path }) => path),
  ])('[fault 93] odd methods on %s are a 405 that names the right ones', async (path) => {
    const { ask } = await testApi();
    for (const method of ['PUT', 'DELETE', 'PATCH', 'PROPFIND']) {
      const answer = await ask(path, { method });
      expect([answer.status, answer.json]).toEqual([405, { error: 'Method not allowed' }]);
      expect(answer.headers.get('allow')).toMatch(/GET|POST/);
    }
  });
});

describe('CORS', () => {
  const preflight = (origin: string) => ({
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type,idempotency-key',
    },
  });

  it('[fault 17] allows the shop’s own origins, with credentials and the headers it sends', async () => {
    const { ask } = await testApi({ settings: { siteOrigins: ['https://shop.example', SITE] } });
    for (const origin of ['https://shop.example', SITE]) {
      const { status, headers } = await ask('/orders', preflight(origin));
      expect([status, headers.get('access-control-allow-origin')]).toEqual([204, origin]);
      expect(headers.get('access-control-allow-credentials')).toBe('true');
      expect(headers.get('access-control-allow-headers')).toBe('Authorization,Content-Type,Idempotency-Key');
    }
  });
});

describe('the log', () => {
  it('[fault 72] holds no email, name, address, phone, password, token, order number or contact', async () => {
    const { ask, customer, order, lines } = await testApi();
    const { token, email } = await customer();
    const { json } = await order(token);
    const id = typeof json === 'object' && json && 'id' in json ? String(json.id) : '';
    await ask(`/orders/${id}?contactInfo=${encodeURIComponent(email)}`);
    await ask(`/orders/${id}?contactInfo=%2B919876543210`);
    await ask(`/products/${MANGO}?contactInfo=${email}`);
    await ask(`/unknown/${email}`);
    await ask('/users/authorize', { json: { email, password: 'wrong-password' } });
    const log = JSON.stringify(lines);
    for (const secret of [
      email,
      'Asha',
      ADDRESS.address,
      '98765',
      PASSWORD,
      token,
      id,
      'contactInfo',
      'wrong-password',
    ]) {
      expect(log).not.toContain(secret);
    }
    expect(lines).toContainEqual({
      level: 'info',
      event: 'answered',
      fields: {
        method: 'GET',
        route: '/api/v1/orders/:id',
        status: 200,
        ms: 0,
        requestId: 'asked-by-a-test',
      },
    });
  });

  it('names in every line the request that the caller named, or a new one, and the answer names it too', async () => {
    const { ask, customer, order, lines } = await testApi();
    const { token } = await customer();
    const { json } = await order(token);
    const orderId = typeof json === 'object' && json && 'id' in json ? json.id : '';
    lines.length = 0;
    const headers = { 'X-Request-Id': 'from-the-proxy_1', Origin: SITE };
    const started = await ask('/payments', {
      token,
      headers,
      json: { orderId, fields: { method: 'UPI QR' } },
    });
    expect(started.headers.get('x-request-id')).toBe('from-the-proxy_1');
    expect(started.headers.get('access-control-expose-headers')).toContain('X-Request-Id');
    expect(lines.map(({ event, fields }) => [event, fields.requestId])).toEqual([
      ['payment started', 'from-the-proxy_1'],
      ['answered', 'from-the-proxy_1'],
    ]);
    for (const odd of ['', 'asha@example.com', 'a b', '{"x":1}', 'x'.repeat(65)]) {
      for (const path of [
        '/products',
        '/nothing',
        '/products/nothing',
        '/accountInfo',
        '/images/mango.webp',
      ]) {
        const answer = await ask(path, { headers: { 'X-Request-Id': odd } });
        expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
        expect(lines.at(-1)?.fields.requestId).toBe(answer.headers.get('x-request-id'));
      }
    }
  });

  it('a bug is a 500 without its message, and logged with its stack', async () => {
    const broken = createMiddleware(async () => {
      throw new Error('secret detail');
    });
    const { ask, lines } = await testApi({ around: [broken] });
    const { status, json, headers } = await ask('/products');
    expect([status, json]).toEqual([500, { error: 'Something went wrong on our side' }]);
    const requestId = headers.get('x-request-id');
    expect(lines).toContainEqual({
      level: 'error',
      event: 'unexpected error',
      fields: { name: 'Error', stack: expect.stringContaining('secret detail'), requestId },
    });
  });
});
