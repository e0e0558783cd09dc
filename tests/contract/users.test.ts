import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { AccountSchema, TokenSchema } from '#api/schema/account.ts';
import { backend, PASSWORD, shapeOf } from './support/backend.ts';
import { CONTRACT_CALLS, nameOf } from './support/calls.ts';

const DAY = 24 * 60 * 60_000;

describe('POST /users/register', () => {
  it('[spec 7.users.2] takes the email trimmed and in lower case, and does not return the password', async () => {
    const { request, register } = await backend();
    const email = `Asha.${crypto.randomUUID()}@Example.COM`;
    const { status, text } = await register({ email: ` ${email} ` });
    expect(status).toBeLessThan(300);
    expect(text).not.toContain(PASSWORD);
    const json = { email: email.toLowerCase(), password: PASSWORD };
    expect((await request('/users/authorize', { json })).status).toBe(200);
  });

  it.each([
    [{ email: 'asha@example' }, 'Invalid email address'],
    [{ email: 7 }, 'Invalid email address'],
    [{ password: '12345' }, 'Password must be at least 6 characters'],
    [{ password: 'x'.repeat(1_025) }, 'Password must be at most 1024 bytes'],
    [{ password: '🍎'.repeat(257) }, 'Password must be at most 1024 bytes'],
    [{ password: 'abcdef\ud800' }, 'Password is not valid text'],
    [{ firstName: ' A ' }, 'First name must be at least 2 characters'],
    [{ lastName: null }, 'Last name must be at least 2 characters'],
    [{ firstName: 'As\u0000ha' }, 'First name is not valid text'],
  ])('%j is refused with an error text', async (wrong, error) => {
    const { register, expectedError } = await backend();
    const { status, json } = await register(wrong);
    expect([status, json]).toEqual([422, { error: expectedError(error) }]);
  });

  it('a taken email is refused, and its password stays', async () => {
    const { request, register, customer, expectedError } = await backend();
    const { email } = await customer();
    const again = await register({ email: email.toUpperCase(), password: 'another' });
    const error = expectedError('Failed to register. Please try again.');
    expect([again.status, again.json]).toEqual([422, { error }]);
    expect((await request('/users/authorize', { json: { email, password: PASSWORD } })).status).toBe(200);
  });
});

describe('POST /users/authorize', () => {
  it('[spec 7.users.1] returns a token that fits into a cookie', async () => {
    const { request, customer } = await backend();
    const { email } = await customer();
    const { status, json } = await request('/users/authorize', { json: { email, password: PASSWORD } });
    expect(status).toBe(200);
    expect(v.parse(TokenSchema, json).token).toBeTypeOf('string');
  });

  it('an unknown email and a wrong password get the same response', async () => {
    const { request, customer, expectedError } = await backend();
    const { email } = await customer();
    const wrong = await request('/users/authorize', { json: { email, password: 'wrong-password' } });
    const unknown = await request('/users/authorize', {
      json: { email: `nobody-${crypto.randomUUID()}@example.com`, password: PASSWORD },
    });
    expect([wrong.status, wrong.json]).toEqual([401, { error: expectedError('Invalid email or password.') }]);
    expect(shapeOf(unknown)).toEqual(shapeOf(wrong));
  });

  it.each(['pass word ', ' leading', '🍎🍏 äöü', 'x'.repeat(1_024), 'e\u0301tude'])(
    'the password %j is compared byte for byte',
    async (password) => {
      const { request, register } = await backend();
      const { registration } = await register({ password });
      const signIn = async (given: string) =>
        (await request('/users/authorize', { json: { email: registration.email, password: given } })).status;
      expect(await signIn(password)).toBe(200);
      for (const near of [password.trim(), password.normalize('NFC'), `${password.slice(0, -1)}Y`]) {
        if (near !== password) expect(await signIn(near)).toBe(401);
      }
    },
  );
});

describe('GET /accountInfo', () => {
  it('[spec 7.users.4] returns the signed-in customer', async () => {
    const { request, customer } = await backend();
    const { token, email } = await customer();
    const account = v.parse(AccountSchema, (await request('/accountInfo', { token })).json);
    expect(account).toMatchObject({ firstName: 'Asha', lastName: 'Rao', email });
    expect(Date.parse(account.createdAt)).not.toBeNaN();
  });

  it('a token works for 30 days and not longer', async () => {
    const { request, customer, hooks } = await backend('reset', 'pass');
    const { token } = await customer();
    await hooks.pass?.(30 * DAY - 1);
    expect((await request('/accountInfo', { token })).status).toBe(200);
    await hooks.pass?.(1);
    expect((await request('/accountInfo', { token })).status).toBe(401);
  });

  it('a cookie is not a token', async () => {
    const { request, customer } = await backend();
    const { token } = await customer();
    expect((await request('/accountInfo', { headers: { Cookie: `auth_token=${token}` } })).status).toBe(401);
  });
});

describe('POST /users/logout', () => {
  it('[spec 7.users.5] ends the session of its token and no other, and can be repeated', async () => {
    const { request, customer } = await backend('logout');
    const other = await customer();
    const { json } = await request('/users/authorize', { json: { email: other.email, password: PASSWORD } });
    const { token = '' } = v.parse(TokenSchema, json);
    const signOut = async () => (await request('/users/logout', { token, json: {} })).status;
    expect(await signOut()).toBeLessThan(300);
    expect((await request('/accountInfo', { token })).status).toBe(401);
    expect((await request('/accountInfo', { token: other.token })).status).toBe(200);
    expect(await signOut()).toBeLessThan(300);
  });
});

describe('calls that need an account', () => {
  it.each([
    ['none', {}],
    ['a wrong one', { Authorization: `Bearer ${'A'.repeat(43)}` }],
    ['another scheme', { Authorization: 'Basic dXNlcjpwYXNz' }],
    ['an injection', { Authorization: "Bearer ' OR 1=1 --" }],
  ])('[spec 6.roles.5] with %s as token are a 401, the same for all', async (_name, headers) => {
    const { request, expectedError } = await backend();
    for (const call of CONTRACT_CALLS.filter(({ needsAccount }) => needsAccount)) {
      const body = call.method === 'POST' ? { json: {} } : {};
      const answer = await request(call.path, { method: call.method, headers, ...body });
      const error = expectedError('Unauthorized');
      expect([answer.status, answer.json], nameOf(call)).toEqual([401, { error }]);
    }
  });
});
