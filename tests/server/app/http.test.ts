import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';
import { loggedError } from '#server/process/log.ts';
import { fuzzRequests } from '#tests/fuzz/fuzz.ts';
import { ADDRESS, MANGO, PASSWORD, SITE, testApi, withCustomer } from '#tests/server/support/api.ts';
import { METHODS, shopper } from '#tests/server/support/payments.ts';

describe('the log', () => {
  it('has no email, name, address, phone, password, token, order number or contact', async () => {
    const { ask, placeOrder, lines, token, email } = await withCustomer(testApi());
    const { id } = await placeOrder(token);
    await ask(`/orders/${id}?contactInfo=${encodeURIComponent(email)}`);
    await ask(`/orders/${id}?contactInfo=%2B919876543210`);
    await ask(`/products/${MANGO}?contactInfo=${email}`);
    await ask(`/unknown/${email}`);
    await ask('/users/authorize', { json: { email, password: 'wrong-password' } });
    const log = JSON.stringify(lines);
    const secrets = [
      email,
      'Asha',
      ADDRESS.address,
      '98765',
      PASSWORD,
      token,
      id,
      'contactInfo',
      'wrong-pass',
    ];
    for (const secret of secrets) expect(log).not.toContain(secret);
    const request = { method: 'GET', route: '/api/v1/orders/:id', requestId: 'asked-by-a-test' };
    const fields = { ...request, status: 200, ms: 0 };
    expect(lines).toContainEqual({ level: 'info', event: 'answered', fields });
  });

  it('has the X-Request-Id of the caller, or a new one, in every line and in the response', async () => {
    const { ask, submit, lines } = await shopper();
    lines.length = 0;
    const headers = { 'X-Request-Id': 'from-the-proxy_1', Origin: SITE };
    const started = await submit({ method: METHODS.qr }, headers);
    expect(started.headers.get('x-request-id')).toBe('from-the-proxy_1');
    expect(started.headers.get('access-control-expose-headers')).toContain('X-Request-Id');
    expect(lines.map(({ event, fields }) => [event, fields.requestId])).toEqual([
      ['payment started', 'from-the-proxy_1'],
      ['answered', 'from-the-proxy_1'],
    ]);
    const paths = ['/products', '/nothing', '/products/nothing', '/accountInfo', '/images/mango.webp'];
    for (const odd of ['', 'asha@example.com', 'a b', '{"x":1}', 'x'.repeat(65)]) {
      for (const path of paths) {
        const answer = await ask(path, { headers: { 'X-Request-Id': odd } });
        expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
        expect(lines.at(-1)?.fields.requestId).toBe(answer.headers.get('x-request-id'));
      }
    }
  });

  it('an unexpected error is a 500 without its message, and logged with its stack', async () => {
    const { ask, lines, db } = await testApi();
    vi.spyOn(db, 'row').mockRejectedValue(new Error('secret detail'));
    const { status, json, headers } = await ask('/readyz');
    expect([status, json]).toEqual([500, { error: 'Something went wrong on our side' }]);
    const requestId = headers.get('x-request-id');
    expect(lines).toContainEqual({
      level: 'error',
      event: 'unexpected error',
      fields: { name: 'Error', stack: expect.stringContaining('secret detail'), requestId },
    });
  });

  it.each([() => v.parse(v.picklist(['a']), 'asha@example.com'), () => JSON.parse('asha@example.com')])(
    'the log of an error does not quote what could not be read (%#)',
    (read) => {
      let error: unknown;
      try {
        read();
      } catch (caught) {
        error = caught;
      }
      expect(loggedError(error)).toMatch(/^(?!.*asha)\w*Error: …\n/s);
    },
  );
});

// A short run of `npm run fuzz`.
it('the API responds to random requests without revealing internals, and stores nothing that it refused', async () => {
  const { refused } = await fuzzRequests({ seed: 7, cases: 200 });
  expect(refused).toBeGreaterThan(50);
});
