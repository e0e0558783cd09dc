// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from 'vitest';
import { postForm } from '#stores/payment/post-form.ts';
import { clearWaiting, readWaiting, storeWaiting } from '#stores/payment/waiting-payment.ts';

const LINK = 'upi://pay?pa=shop@bank&am=99.00';
const MINUTE = 60_000;

const keep = (waiting: object): void =>
  sessionStorage.setItem(
    'waiting-payment',
    JSON.stringify({
      orderId: 'order-1',
      handover: { text: LINK },
      validUntil: Date.now() + MINUTE,
      ...waiting,
    }),
  );

beforeEach(() => sessionStorage.clear());

it('is returned for its order until it is forgotten', () => {
  const waiting = { handover: { text: LINK, link: LINK }, validUntil: Date.now() + MINUTE };
  storeWaiting({ orderId: 'order-1', ...waiting });
  expect(readWaiting('order-1')?.handover).toEqual(waiting.handover);
  expect(readWaiting('order-2')).toBeUndefined();
  clearWaiting();
  expect(readWaiting('order-1')).toBeUndefined();
});

it.each([
  ['it has expired', { validUntil: Date.now() - 1 }],
  ['the clock was set back', { validUntil: Date.now() + 60 * MINUTE }],
  ['there is no time', { validUntil: null }],
  [
    'there is nothing to show',
    { handover: { link: 'javascript:alert(1)', image: 'data:image/svg+xml;base64,PHN2Zz4=' } },
  ],
  ['the code is too long', { handover: { text: 'x'.repeat(4_000) } }],
  ['it is not an object', { handover: 'upi://pay' }],
])('is undefined when %s', (_, waiting) => {
  keep(waiting);
  expect(readWaiting('order-1')).toBeUndefined();
});

it('drops the unsafe parts of a value that was tampered with', () => {
  keep({ handover: { text: LINK, link: 'https://evil.example/' } });
  expect(readWaiting('order-1')?.handover).toEqual({ text: LINK });
});

it.each(['null', '42', '{', '[]'])('is undefined if storage contains %s', (text) => {
  sessionStorage.setItem('waiting-payment', text);
  expect(readWaiting('order-1')).toBeUndefined();
});

it('[spec 4.payment.2] posts every field under its name, also submit and __proto__', () => {
  let sent: [string, unknown][] = [];
  let method = '';
  vi.spyOn(HTMLFormElement.prototype, 'submit').mockImplementation(function (this: HTMLFormElement) {
    sent = [...new FormData(this)];
    method = this.getAttribute('method') ?? '';
  });
  const fields = [
    ['submit', '1'],
    ['__proto__', '2'],
    ['action', '3'],
    ['data[a]', '<&"'],
  ] as const;
  postForm('https://pay.example/form', fields);
  expect(sent).toEqual(fields);
  expect(method).toBe('post');
  expect(document.querySelector('form')?.getAttribute('action')).toBe('https://pay.example/form');
  expect(document.querySelector('form')?.hidden).toBe(true);
});
