import { afterEach, beforeEach, vi } from 'vitest';

/* Gives each test a new browser, in which no page is left. */

/** The addresses that were to be opened. */
export const left: string[] = [];

vi.mock('#stores/shell/navigation.ts', async (original) => {
  const leave = (address: string): unknown => left.push(address);
  const real = await original<typeof import('#stores/shell/navigation.ts')>();
  return { ...real, goTo: leave, replaceWith: leave, leaveFor: leave };
});

export const signIn = (token = 'token-1'): void => {
  // biome-ignore lint/suspicious/noDocumentCookie: a test's session is this cookie
  document.cookie = `auth_token=${token}; path=/`;
};

const signOut = (): void => {
  // biome-ignore lint/suspicious/noDocumentCookie: a test's session is this cookie
  document.cookie = 'auth_token=; path=/; max-age=0';
};

beforeEach(() => {
  left.length = 0;
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(signOut);
