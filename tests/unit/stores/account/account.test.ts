// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { deferred, fakeApi, signIn, signOut } from '#tests/unit/stores/support/fake-api.ts';

vi.mock('#stores/shell/navigation.ts', async (original) => ({
  ...(await original<typeof import('#stores/shell/navigation.ts')>()),
  replaceWith: () => {},
}));

const wireAccount = () =>
  Response.json({ firstName: 'Asha', lastName: 'Rao', email: 'asha@example.com', createdAt: '2026-01-05' });

async function openPage() {
  vi.resetModules();
  const { $account, loadAccount, openAccount } = await import('#stores/account/account.ts');
  const { $session } = await import('#stores/account/session.ts');
  const close = openAccount();
  return { $account, $session, close, loadAccount };
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

it('[fault 44] hides the account when the page is left, and does not show it again after a sign-out', async () => {
  const api = fakeApi({ 'GET accountInfo': wireAccount });
  const page = await openPage();
  close = page.close;
  await expect.poll(() => page.$account.get()).toMatchObject({ status: 'loaded' });
  dispatchEvent(new Event('pagehide'));
  expect(page.$account.get()).toEqual({ status: 'loading' });
  signOut();
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  expect(page.$account.get()).toEqual({ status: 'loading' });
  expect(page.$session.get()).toEqual({ status: 'signed-out' });
  expect(api.calls()).toHaveLength(1);
});

it('[fault 44] ignores a response that arrives after the page was left', async () => {
  const late = deferred();
  const answers = [wireAccount, late.answer];
  const api = fakeApi({ 'GET accountInfo': () => answers.shift()?.() ?? wireAccount() });
  const page = await openPage();
  close = page.close;
  await expect.poll(() => page.$account.get()).toMatchObject({ status: 'loaded' });
  const load = page.loadAccount();
  await expect.poll(() => api.calls()).toHaveLength(2);
  dispatchEvent(new Event('pagehide'));
  signOut();
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  late.give(wireAccount());
  await load;
  expect(page.$account.get()).toEqual({ status: 'loading' });
  expect(page.$session.get()).toEqual({ status: 'signed-out' });
});
