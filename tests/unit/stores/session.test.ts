// @vitest-environment jsdom
import Cookies from 'js-cookie';
import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.doUnmock('#api/token.ts');
  vi.resetModules();
});

it('[spec 8.logout.1] a token that cannot be deleted is told, and the session goes on', async () => {
  vi.doMock('#api/token.ts', () => ({
    deleteToken: () => {
      throw new DOMException('refused', 'SecurityError');
    },
  }));
  const { $session, signOut } = await import('#stores/session.ts');
  const { $toasts } = await import('#stores/toasts.ts');
  Cookies.set('auth_token', 'abc123');
  await signOut();
  expect($toasts.get().map(({ title, text }) => [title, text])).toEqual([
    ['Error', 'Failed to log out properly.'],
  ]);
  expect($session.get().status).toBe('signed-in');
});
