// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import { signIn } from '#tests/unit/stores/support/browser.ts';
import { fakeApi, orderDto } from '#tests/unit/stores/support/fake-api.ts';

const ready = (): Promise<void> => Promise.resolve();

async function openPage(answers: Parameters<typeof fakeApi>[0]) {
  vi.resetModules();
  const api = fakeApi(answers);
  const track = await import('#stores/orders/track.ts');
  const { $toasts } = await import('#stores/shell/toasts.ts');
  const emails: string[] = [];
  close = track.followAccount((email) => emails.push(email));
  return { ...track, $toasts, api, emails };
}

let close = (): void => {};

afterEach(() => close());

it('[spec 3.order.9] tracking sends the number and the contact, trimmed and without the # of My Orders', async () => {
  const page = await openPage({ 'GET orders/order-1': () => Response.json(orderDto()) });
  await page.findOrder({ orderId: ' #order-1 ', contactInfo: ' meera@example.com ' }, ready);
  expect(page.$track.get()).toMatchObject({ status: 'found', order: { id: 'order-1' }, attempt: 1 });
});

it.each([
  [{ orderId: '', contactInfo: ' ' }, ['orderId', 'contactInfo']],
  [{ orderId: '1', contactInfo: '' }, ['contactInfo']],
  [{ orderId: '#', contactInfo: 'a@b.in' }, ['orderId']],
])('[spec 5.track.1] [spec 8.track.1] %j sends no request', async (request, fields) => {
  const page = await openPage({});
  await page.findOrder(request, ready);
  expect(Object.keys(page.$track.get().errors)).toEqual(fields);
  expect(page.$toasts.get()).toMatchObject([
    { title: 'Required fields', text: 'Please enter both order number and email/phone', tone: 'error' },
  ]);
  expect(page.api.calls()).toEqual([]);
});

it('[spec 8.track.2] tracking shows a failure of the request, or of loading the view', async () => {
  const page = await openPage({ 'GET orders/order-1': () => Response.json(orderDto()) });
  const failed = {
    title: 'Error',
    text: 'Failed to find order. Please check your information and try again.',
    tone: 'error',
  };
  await page.findOrder({ orderId: 'other', contactInfo: 'a@b.in' }, ready);
  expect(page.$toasts.get()).toMatchObject([failed]);
  await page.findOrder({ orderId: 'order-1', contactInfo: 'a@b.in' }, () =>
    Promise.reject(new Error('no chunk')),
  );
  expect(page.$track.get()).toMatchObject({ status: 'failed', attempt: 2 });
  expect(page.$toasts.get()).toMatchObject([failed]);
});

it('[spec 3.user.2] [spec 2.track.3] the email to prefill is the account’s, never a made-up one', async () => {
  signIn();
  const account = { firstName: 'Meera', lastName: 'K', email: 'meera@example.com', createdAt: '' };
  const page = await openPage({ 'GET accountInfo': () => Response.json({ data: account }) });
  await expect.poll(() => page.emails).toEqual([account.email]);
  dispatchEvent(new Event('pagehide'));
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  await expect.poll(() => page.emails).toEqual([account.email, '', account.email]);
  expect(page.api.calls()).toEqual(['GET accountInfo']);
});

it('the email to prefill and the found order are removed when another customer signs in in another tab', async () => {
  signIn('token-1');
  const page = await openPage({
    'GET accountInfo': () => Response.json({ firstName: 'Asha', lastName: 'R', email: 'asha@example.com' }),
    'GET orders/order-1': () => Response.json(orderDto()),
  });
  await page.findOrder({ orderId: 'order-1', contactInfo: 'a@b.in' }, ready);
  expect(page.$track.get().status).toBe('found');
  signIn('token-2');
  dispatchEvent(new Event('focus'));
  expect(page.$track.get()).toEqual(page.NEW_TRACK);
});
