// @vitest-environment jsdom
import Cookies from 'js-cookie';
import { afterEach, expect, it, vi } from 'vitest';
import { serverText } from '#stores/account/failure-text.ts';

afterEach(() => vi.resetModules());

it('[spec 8.logout.1] shows an error if the token cannot be deleted, and stays signed in', async () => {
  vi.spyOn(Cookies, 'remove').mockImplementation(() => {
    throw new DOMException('refused', 'SecurityError');
  });
  const { signOut } = await import('#stores/account/account.ts');
  const { $session } = await import('#stores/account/session.ts');
  const { $toasts } = await import('#stores/shell/toasts.ts');
  Cookies.set('auth_token', 'abc123');
  await signOut();
  expect($toasts.get().map(({ title, text }) => [title, text])).toEqual([
    ['Error', 'Failed to log out properly.'],
  ]);
  expect($session.get().status).toBe('signed-in');
});

it('removes the previous customer’s data after another customer has signed in in another tab', async () => {
  const { $session, setAccount, refreshSession } = await import('#stores/account/session.ts');
  Cookies.set('auth_token', 'of-asha');
  refreshSession();
  setAccount({ firstName: 'Asha', lastName: 'Rao', email: 'asha@mail.example', newEmail: '', createdAt: '' });
  const changes: unknown[] = [];
  const stop = $session.listen((session) => changes.push(session));
  refreshSession();
  expect(changes).toEqual([]);
  Cookies.set('auth_token', 'of-meera');
  refreshSession();
  stop();
  expect(changes).toEqual([{ status: 'loading' }, { status: 'signed-in' }]);
});

it('the server’s error text is undefined unless the server has answered with a text', () => {
  expect(serverText({ kind: 'no-answer' })).toBeUndefined();
  expect(serverText({ kind: 'unreadable', status: 200 })).toBeUndefined();
  expect(serverText({ kind: 'refused', status: 500 })).toBeUndefined();
  expect(serverText({ kind: 'refused', status: 422, error: 'No.' })).toBe('No.');
});

it.each([
  ['Too many.', 'Too many. Please try again in 42 seconds.'],
  [undefined, 'Too many attempts. Please try again in 42 seconds.'],
  ['Wait 42 s.', 'Wait 42 s.'],
  ['At most 42 tries.', 'At most 42 tries. Please try again in 42 seconds.'],
  ['Wait 42 seconds.', 'Wait 42 seconds.'],
])('the server’s error text %s is shown with the seconds to wait', (error, text) => {
  const failure = {
    kind: 'refused',
    status: 429,
    retryAfterSeconds: 42,
    ...(error ? { error } : {}),
  } as const;
  expect(serverText(failure)).toBe(text);
});
