// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeApi, signIn, signOut } from '#tests/unit/stores/support/fake-api.ts';

vi.mock('#stores/shell/navigation.ts', async (original) => ({
  ...(await original<typeof import('#stores/shell/navigation.ts')>()),
  replaceWith: () => {},
}));

async function openPage() {
  vi.resetModules();
  const { $presentName, openAccountChange } = await import('#stores/account/account-change.ts');
  const { $toasts } = await import('#stores/shell/toasts.ts');
  return { $presentName, $toasts, close: openAccountChange() };
}

let close = (): void => {};

beforeEach(() => {
  sessionStorage.clear();
  signIn();
});

afterEach(() => {
  close();
  signOut();
  vi.unstubAllGlobals();
});

it('[fault 44] hides the present name when the page is left, and does not show it again after a sign-out', async () => {
  const account = { firstName: 'Asha', lastName: 'Rao', email: 'asha@example.com' };
  const api = fakeApi({ 'GET accountInfo': () => Response.json(account) });
  const page = await openPage();
  close = page.close;
  await expect.poll(() => page.$presentName.get()).toEqual({ firstName: 'Asha', lastName: 'Rao' });
  dispatchEvent(new Event('pagehide'));
  expect(page.$presentName.get()).toBeUndefined();
  signOut();
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  expect(page.$presentName.get()).toBeUndefined();
  expect(api.calls()).toHaveLength(1);
});

it('says nothing where the name cannot be had, because the forms work without it', async () => {
  const api = fakeApi({ 'GET accountInfo': () => Response.json({}, { status: 404 }) });
  const page = await openPage();
  close = page.close;
  await expect.poll(() => api.calls()).toEqual(['GET accountInfo']);
  await new Promise((resolve) => setTimeout(resolve));
  expect([page.$presentName.get(), page.$toasts.get()]).toEqual([undefined, []]);
});
