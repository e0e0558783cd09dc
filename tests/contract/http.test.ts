import { describe, expect, it } from 'vitest';
import { backend, JSON_TYPE } from './support/backend.ts';
import { CONTRACT_CALLS } from './support/calls.ts';

const posts = CONTRACT_CALLS.filter(({ method }) => method === 'POST').map(({ path }) => path);

describe('every call', () => {
  it.each(posts)('POST %s takes JSON only, so that a form of another site is a 415', async (path) => {
    const { request, customer, expectedError } = await backend();
    const { token } = await customer();
    const error = expectedError('The request must be application/json');
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''];
    for (const type of types) {
      const answer = await request(path, { token, body: '{}', headers: { 'Content-Type': type } });
      expect([answer.status, answer.json]).toEqual([415, { error }]);
    }
  });

  it.each(posts)('POST %s takes at most 64 KB', async (path) => {
    const { request, customer } = await backend();
    const { token } = await customer();
    const large = JSON.stringify({ email: 'x'.repeat(64 * 1024) });
    expect((await request(path, { token, body: large, headers: JSON_TYPE })).status).toBe(413);
  });

  it.each([
    ...['{', '', '{"a":1}}', '[1,]'].map((body) => [body, 400, 'The request is not valid JSON'] as const),
    ['[]', 422, 'email is missing'],
    ['7', 422, 'The request must be an object'],
    ['{}', 422, 'email is missing'],
    ['{"email":"asha@example.com"}', 422, 'password is missing'],
  ] as const)('the body %s is a %i', async (body, status, error) => {
    const { request, expectedError } = await backend();
    const answer = await request('/users/authorize', { body, method: 'POST', headers: JSON_TYPE });
    expect([answer.status, answer.json]).toEqual([status, { error: expectedError(error) }]);
  });

  it('bytes that are not UTF-8 are a 400', async () => {
    const { request } = await backend();
    const body = new Uint8Array([0x22, 0xff, 0xfe, 0x22]);
    expect((await request('/users/authorize', { body, headers: JSON_TYPE })).status).toBe(400);
  });

  it.each([...new Set(CONTRACT_CALLS.map(({ path }) => path))])(
    'odd methods on %s are a 405 that names the right ones',
    async (path) => {
      const { request, expectedError } = await backend();
      for (const method of ['PUT', 'DELETE', 'PATCH', 'PROPFIND']) {
        const answer = await request(path, { method });
        expect([answer.status, answer.json]).toEqual([405, { error: expectedError('Method not allowed') }]);
        expect(answer.headers.get('allow')).toMatch(/GET|POST/);
      }
    },
  );

  it.each(['/nothing', '', '/products/', '/../v2/products', '/orders/a/b'])(
    'the unknown address %j is a JSON 404',
    async (path) => {
      const { request, expectedError } = await backend();
      const answer = await request(path);
      expect([answer.status, answer.json]).toEqual([404, { error: expectedError('Not found') }]);
      expect(answer.headers.get('content-type')).toContain('application/json');
    },
  );

  it('HEAD returns the same as GET, without the body', async () => {
    const { request } = await backend();
    const { status, text } = await request('/products', { method: 'HEAD' });
    expect([status, text]).toEqual([200, '']);
  });

  it('private responses are not cached, and their types are not sniffed', async () => {
    const { request, customer } = await backend();
    const { token } = await customer();
    const own = CONTRACT_CALLS.filter(({ method, needsAccount }) => method === 'GET' && needsAccount);
    for (const path of [...own.map((call) => call.path), '/orders/x?contactInfo=y']) {
      const { headers } = await request(path, { token });
      const sent = ['cache-control', 'x-content-type-options'].map((name) => headers.get(name));
      expect(sent, path).toEqual(['no-store', 'nosniff']);
    }
  });
});

describe('CORS', () => {
  const preflight = (origin: string, headers: string) => ({
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': headers,
    },
  });

  it.each([
    ['authorization,content-type', []],
    ['authorization,content-type,idempotency-key', ['idempotencyKeys']],
  ] as const)('allows the site, with credentials and the headers %s', async (wanted, needs) => {
    const { request, origin } = await backend(...needs);
    const { status, headers } = await request('/orders', preflight(origin, wanted));
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, origin]);
    expect(headers.get('access-control-allow-credentials')).toBe('true');
    const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(/,\s*/);
    expect(allowed).toEqual(expect.arrayContaining(wanted.split(',')));
  });

  it('allows no other origin', async () => {
    const { request, origin } = await backend();
    const longer = `${origin}.evil.example`;
    for (const stranger of ['https://evil.example', 'null', longer, 'http://localhost:43210']) {
      const { headers } = await request('/orders', preflight(stranger, 'content-type'));
      expect([stranger, '*']).not.toContain(headers.get('access-control-allow-origin'));
    }
  });

  it('lets the site read errors as well, including Retry-After', async () => {
    const { request, origin } = await backend();
    for (const path of ['/accountInfo', '/nothing', '/products/nothing', '/orders/x']) {
      const answer = await request(path, { headers: { Origin: origin } });
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
      expect(answer.headers.get('access-control-expose-headers')).toContain('Retry-After');
    }
  });
});
