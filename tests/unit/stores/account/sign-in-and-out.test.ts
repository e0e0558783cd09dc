// @vitest-environment jsdom
import { expect, it, onTestFinished, vi } from 'vitest';
import { OWN } from '#domain/json.ts';
import { STORED_DATA } from '#domain/stored-data.ts';
import { signIn } from '#tests/unit/stores/support/browser.ts';
import { fakeApi } from '#tests/unit/stores/support/fake-api.ts';

const { signOut } = await import('#stores/account/account.ts');
const { registration } = await import('#stores/account/register.ts');
const { $toasts } = await import('#stores/shell/toasts.ts');

/** Signs in on a new page: with fresh modules. */
async function logIn() {
  vi.resetModules();
  const { login } = await import('#stores/account/login.ts');
  await login.submit({ ...CREDENTIALS, rememberMe: '' });
  return login.state.get();
}

const CREDENTIALS = { email: 'asha@example.com', password: 'mango-season' };
const REGISTRATION = {
  ...CREDENTIALS,
  firstName: 'Asha',
  lastName: 'Rao',
  confirmPassword: CREDENTIALS.password,
};
const DEVICE = 'a-random-token-of-the-api';

const nameOf = (key: string): string => (key === 'cart' ? key : OWN + key);

it('a sign-out deletes the customer’s data from the device, and nothing else', async () => {
  const stored = STORED_DATA.filter(({ where }) => where === 'device' || where === 'tab');
  for (const { key, where } of stored) {
    const area = where === 'device' ? localStorage : sessionStorage;
    area.setItem(nameOf(key), 'stored');
  }
  await signOut();
  const left = [...Object.keys(localStorage), ...Object.keys(sessionStorage)];
  const others = stored.filter(({ isPersonal }) => !isPersonal).map(({ key }) => nameOf(key));
  expect(left.toSorted()).toEqual(others.toSorted());
  expect(others).toContain('cart');
});

it('sends the device token of the API with the next sign-in, even after a sign-out', async () => {
  const session = { token: 'a-token', device: DEVICE };
  const api = fakeApi({ 'POST users/authorize': () => Response.json(session) });
  await logIn();
  await signOut();
  await logIn();
  expect(api.requests.map(({ body }) => body)).toEqual([CREDENTIALS, { ...CREDENTIALS, device: DEVICE }]);
});

it.each([undefined, 7, 'short', 'with spaces and <signs>', 'x'.repeat(201)])(
  'signs in when the device token is %s, and does not store it',
  async (device) => {
    fakeApi({ 'POST users/authorize': () => Response.json({ token: 'a-token', device }) });
    await logIn();
    expect(document.cookie).toContain('a-token');
    expect(localStorage.getItem('fresh-fruits.known-device')).toBeNull();
  },
);

const NO_TOKEN = 'Authentication failed: Token is missing in the response';

it.each<[string, Response | 'lost', string]>([
  [
    '[spec 8.login.2] an error without a text',
    Response.json({}, { status: 500 }),
    'Failed to login. Please check your credentials.',
  ],
  ['[spec 5.login.4] a missing token', Response.json({}), NO_TOKEN],
  ['an invalid token', Response.json({ token: 'a; domain=evil.example' }), NO_TOKEN],
  [
    'too many attempts',
    Response.json({ error: 'Too many attempts.' }, { status: 429, headers: { 'Retry-After': '42' } }),
    'Too many attempts. Please try again in 42 seconds.',
  ],
  ['[spec 8.login.3] a lost answer', 'lost', 'No response from server. Please try again later.'],
])('%s starts no session, and the form says why', async (_, answer, text) => {
  const api = fakeApi({
    'POST users/authorize': () => {
      if (answer === 'lost') throw new TypeError('Failed to fetch');
      return answer;
    },
  });
  expect(await logIn()).toMatchObject({ status: 'editing', failure: text });
  expect(document.cookie).not.toContain('auth_token');
  expect(api.calls()).toEqual(['POST users/authorize']);
});

it('[spec 8.register.1, 8.register.3] shows how long to wait after too many attempts, and advice after a refused email', async () => {
  const answers = [
    Response.json({ error: 'Too many attempts.' }, { status: 429, headers: { 'Retry-After': '3180' } }),
    Response.json({ error: 'Not with this email.' }, { status: 422 }),
  ];
  fakeApi({ 'POST users/register': () => answers.shift() ?? Response.error() });
  await registration.submit(REGISTRATION);
  expect(registration.state.get().failure).toBe('Too many attempts. Please try again in 53 minutes.');
  await registration.submit(REGISTRATION);
  expect(registration.state.get().failure).toBe(
    'Registration failed. Please try using a different email provider (like gmail.com or outlook.com).',
  );
  expect($toasts.get().at(-1)).toMatchObject({ title: 'Registration Error', text: 'Not with this email.' });
});

it('[spec 8.register.2] says that the registration failed if the server sends no text', async () => {
  fakeApi({ 'POST users/register': () => Response.error() });
  await registration.submit(REGISTRATION);
  expect($toasts.get().at(-1)).toMatchObject({
    title: 'Registration Error',
    text: 'Failed to register. Please try again.',
  });
});

it.each([true, false])(
  '[spec 7.users.5] a sign-out ends the session at the server if the API has the capability: %s',
  async (canLogOut) => {
    vi.stubGlobal('__CAPABILITIES__', { logout: canLogOut });
    const api = fakeApi({
      'POST users/authorize': () => Response.json({ token: 'a-token' }),
      'POST users/logout': () => Response.json({ error: 'Busy' }, { status: 503 }),
    });
    await logIn();
    const { $session } = await import('#stores/account/session.ts');
    await (await import('#stores/account/account.ts')).signOut();
    expect($session.get()).toEqual({ status: 'signed-out' });
    expect(document.cookie).toBe('');
    expect(api.calls().includes('POST users/logout')).toBe(canLogOut);
  },
);

it.each([
  ['[spec 8.account.1]', () => Response.json({}, { status: 404 }), ' (Status: 404)'],
  ['[spec 8.account.2]', () => Promise.reject(new TypeError('Failed to fetch')), ' (No response received)'],
  ['[spec 8.account.3]', () => Response.json([]), ': The answer could not be read'],
])('%s an account that cannot be loaded says why', async (_, answer, reason) => {
  signIn();
  fakeApi({ 'GET accountInfo': answer });
  vi.resetModules();
  const { $account } = await import('#stores/account/account.ts');
  onTestFinished($account.listen(() => {}));
  const text = `Failed to load account information${reason}`;
  await expect.poll(() => $account.get()).toEqual({ status: 'failed', text });
});
