// @vitest-environment jsdom
import { beforeEach, expect, it } from 'vitest';
import { clearPending, readPending, storePending } from '#stores/payment/pending-payment.ts';

const LINK = 'upi://pay?pa=shop@bank&am=99.00';
const MINUTE = 60_000;

const store = (payment: object): void =>
  localStorage.setItem(
    'fresh-fruits.pending-payment',
    JSON.stringify({
      orderId: 'order-1',
      handover: { text: LINK },
      validUntil: Date.now() + MINUTE,
      ...payment,
    }),
  );

beforeEach(() => localStorage.clear());

it('is returned for its order until it is cleared', () => {
  const payment = { handover: { text: LINK, link: LINK }, validUntil: Date.now() + MINUTE };
  storePending({ orderId: 'order-1', ...payment });
  expect(readPending('order-1')?.handover).toEqual(payment.handover);
  expect(readPending('order-2')).toBeUndefined();
  clearPending();
  expect(readPending('order-1')).toBeUndefined();
});

it.each([
  ['it was started long ago', { validUntil: Date.now() - 24 * 60 * MINUTE }],
  ['the clock was set back', { validUntil: Date.now() + 60 * MINUTE }],
  ['there is no time', { validUntil: null }],
  ['there is nothing to show', { handover: { link: 'javascript:x', image: 'data:image/svg+xml,<svg/>' } }],
  ['the code is too long', { handover: { text: 'x'.repeat(4_000) } }],
  ['it is not an object', { handover: 'upi://pay' }],
])('is undefined when %s', (_, payment) => {
  store(payment);
  expect(readPending('order-1')).toBeUndefined();
});

it('drops an unsafe link from a stored payment', () => {
  store({ handover: { text: LINK, link: 'https://evil.example/' } });
  expect(readPending('order-1')?.handover).toEqual({ text: LINK });
});

it.each(['null', '42', '{', '[]'])('is undefined if storage contains %s', (text) => {
  localStorage.setItem('fresh-fruits.pending-payment', text);
  expect(readPending('order-1')).toBeUndefined();
});
