import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { AccountSchema, TokenSchema } from '#api/schema/account.ts';
import { backend, PASSWORD, shapeOf } from './support/backend.ts';
import { CONTRACT_CALLS, nameOf } from './support/calls.ts';

const DAY = 24 * 60 * 60_000;

describe('POST /users/register', () => {
  it('[spec 7.users.2] takes the email trimmed and in lower case, and tells no secret', async () => {
    const { ask, register } = await backend();
    const email = `Asha.${crypto.randomUUID()}@Example.COM`;
    const { status, text } = await register({ email: ` ${email} ` });
    expect(status).toBeLessThan(300);
    expect(text).not.toContain(PASSWORD);
    const signedIn = await ask('/users/authorize', {
      json: { email: email.toLowerCase(), password: PASSWORD },
    });
    expect(signedIn.status).toBe(200);
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
  ])('%j is refused with a text', async (wrong, error) => {
    const { register, said } = await backend();
    const { status, json } = await register(wrong);
    expect([status, json]).toEqual([422, { error: said(error) }]);
  });

  it('an email that exists is refused, and its password stays', async () => {
    const { ask, register, customer, said } = await backend();
    const { email } = await customer();
    const again = await register({ email: email.toUpperCase(), password: 'another' });
    expect([again.status, again.json]).toEqual([
      422,
      { error: said('Failed to register. Please try again.') },
    ]);
    expect((await ask('/users/authorize', { json: { email, password: PASSWORD } })).status).toBe(200);
  });
});

describe('POST /users/authorize', () => {
  it('[spec 7.users.1] answers a token that fits into a cookie', async () => {
    const { ask, customer } = await backend();
    const { email } = await customer();
    const { status, json } = await ask('/users/authorize', { json: { email, password: PASSWORD } });
    expect(status).toBe(200);
    expect(v.parse(TokenSchema, json).token).toBeTypeOf('string');
  });

  it('an unknown email and a wrong password get the same answer', async () => {
    const { ask, customer, said } = await backend();
    const { email } = await customer();
    const wrong = await ask('/users/authorize', { json: { email, password: 'wrong-password' } });
    const unknown = await ask('/users/authorize', {
      json: { email: `nobody-${crypto.randomUUID()}@example.com`, password: PASSWORD },
    });
    expect([wrong.status, wrong.json]).toEqual([401, { error: said('Invalid email or password.') }]);
    expect(shapeOf(unknown)).toEqual(shapeOf(wrong));
  });

  it.each(['pass word ', ' leading', '🍎🍏 äöü', 'x'.repeat(1_024), 'e\u0301tude'])(
    'the password %j is compared byte for byte',
    async (password) => {
      const { ask, register } = await backend();
      const { person } = await register({ password });
      const signIn = async (given: string) =>
        (await ask('/users/authorize', { json: { email: person.email, password: given } })).status;
      expect(await signIn(password)).toBe(200);
      for (const near of [password.trim(), password.normalize('NFC'), `${password.slice(0, -1)}Y`]) {
        if (near !== password) expect(await signIn(near)).toBe(401);
      }
    },
  );
});

describe('GET /accountInfo', () => {
  it('[spec 7.users.4] tells who is signed in', async () => {
    const { ask, customer } = await backend();
    const { token, email } = await customer();
    const account = v.parse(AccountSchema, (await ask('/accountInfo', { token })).json);
    expect(account).toMatchObject({ firstName: 'Asha', lastName: 'Rao', email });
    expect(Date.parse(account.createdAt)).not.toBeNaN();
  });

  it('a token works for 30 days and not longer', async () => {
    const { ask, customer, hooks } = await backend('reset', 'pass');
    const { token } = await customer();
    await hooks.pass?.(30 * DAY - 1);
    expect((await ask('/accountInfo', { token })).status).toBe(200);
    await hooks.pass?.(1);
    expect((await ask('/accountInfo', { token })).status).toBe(401);
  });

  it('a cookie is not a token', async () => {
    const { ask, customer } = await backend();
    const { token } = await customer();
    expect((await ask('/accountInfo', { headers: { Cookie: `auth_token=${token}` } })).status).toBe(401);
  });
});

describe('POST /users/logout', () => {
  it('[spec 7.users.5] ends the token that is sent with it and no other, and may be asked again', async () => {
    const { ask, customer } = await backend('logout');
    const other = await customer();
    const { json } = await ask('/users/authorize', { json: { email: other.email, password: PASSWORD } });
    const { token = '' } = v.parse(TokenSchema, json);
    const signOut = async () => (await ask('/users/logout', { token, json: {} })).status;
    expect(await signOut()).toBeLessThan(300);
    expect((await ask('/accountInfo', { token })).status).toBe(401);
    expect((await ask('/accountInfo', { token: other.token })).status).toBe(200);
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
    const { ask, said } = await backend();
    for (const call of CONTRACT_CALLS.filter(({ needsAccount }) => needsAccount)) {
      const body = call.method === 'POST' ? { json: {} } : {};
      const answer = await ask(call.path, { method: call.method, headers, ...body });
      expect([answer.status, answer.json], nameOf(call)).toEqual([401, { error: said('Unauthorized') }]);
    }
  });
});
