import { QRCodeSVG } from 'qrcode.react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { PAYMENT_FAILED, type PaymentResponse, paymentStep, qrImage, upiDetails } from '#domain/payment.ts';

const rules = { local: false };
const failed = { kind: 'failed', text: PAYMENT_FAILED };
const broken = { kind: 'broken' };
const UPI = 'upi://pay?pa=shop@bank&am=10';
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

const next = (response: Partial<PaymentResponse>) => paymentStep({ success: true, ...response }, rules);

const form = (data: [string, string][] = []) => ({
  type: 'card',
  url: 'https://third.example/form',
  data: new Map(data),
});

it.each([
  ['[spec 8.payment.3]', { success: false }, 'Unknown error occurred during payment process'],
  ['[spec 8.payment.3]', { success: false, error: '' }, 'Unknown error occurred during payment process'],
  ['[spec 8.payment.5] [spec 4.payment.9]', { success: false, error: 'Card refused' }, 'Card refused'],
])('%s %j fails with %j', (_, response, text) => expect(next(response)).toEqual({ kind: 'failed', text }));

const [first, second] = ['https://first.example/', 'https://second.example/'];
const to = (kind: string, url: string) => ({ kind, url });

/** What redirect_post opens, with form parameters that have an address of their own. */
const post = (redirectUrl?: string) => ({
  type: 'redirect_post',
  formParams: form(),
  ...(redirectUrl !== undefined && { redirectUrl }),
});

it.each<[string, Partial<PaymentResponse>, object]>([
  ['[spec 4.payment.8]', {}, { kind: 'initiated' }],
  ['[spec 4.payment.8]', { redirectUrl: '' }, { kind: 'initiated' }],
  ['[spec 4.payment.7]', { redirectUrl: first }, to('navigate', first)],
  ['[spec 4.payment.11]', { redirectUrl: 'javascript:alert(1)' }, failed],
  ['an unknown action', { action: { type: 'teleport' } }, failed],
  ['an unknown action', { action: { type: 'constructor' } }, failed],
  ['an unknown action', { action: { type: 'teleport' }, redirectUrl: first }, to('navigate', first)],
  ['[spec 4.payment.10]', { redirectUrl: second, action: post(first) }, to('post', first)],
  ['[spec 4.payment.10]', { redirectUrl: second, action: post() }, to('post', second)],
  ['[spec 4.payment.10]', { redirectUrl: second, action: post('') }, to('post', second)],
  ['[spec 4.payment.10]', { action: post() }, to('post', 'https://third.example/form')],
  ['[spec 4.payment.11]', { action: { type: 'redirect_post', redirectUrl: 'http://pay.example/' } }, failed],
  ['[spec 4.payment.11]', { action: { type: 'redirect_post', redirectUrl: '' } }, failed],
  [
    '[spec 4.payment.3, 4.payment.12]',
    { action: { type: 'deeplink', redirectUrl: UPI } },
    to('open-app', UPI),
  ],
  [
    '[spec 4.payment.3, 4.payment.12]',
    { action: { type: 'deeplink' }, redirectUrl: UPI },
    to('open-app', UPI),
  ],
  [
    '[spec 4.payment.3, 4.payment.12]',
    { action: { type: 'deeplink', redirectUrl: first } },
    to('navigate', first),
  ],
  ['[spec 4.payment.12]', { action: { type: 'deeplink', redirectUrl: 'intent://pay#Intent;end' } }, failed],
])('%s: after %j follows %j', (_, response, step) => expect(next(response)).toMatchObject(step));

it('[spec 4.payment.2] redirect_post posts type, url and data[…] with unchanged names', () => {
  const data: [string, string][] = [
    ['submit', '1'],
    ['__proto__', '2'],
    ['constructor', '3'],
    ['a]b', '<&"'],
  ];
  expect(next({ action: { type: 'redirect_post', formParams: form(data) } })).toEqual({
    kind: 'post',
    url: 'https://third.example/form',
    fields: [
      ['type', 'card'],
      ['url', 'https://third.example/form'],
      ['data[submit]', '1'],
      ['data[__proto__]', '2'],
      ['data[constructor]', '3'],
      ['data[a]b]', '<&"'],
    ],
  });
});

const render = (text: string) => renderToStaticMarkup(createElement(QRCodeSVG, { value: text, level: 'L' }));

it('[spec 4.payment.4] a QR code prefers the text to a picture', () => {
  expect(next({ action: { type: 'qr', qr: 'upi://pay', qrBase64: PNG } })).toEqual({
    kind: 'qr',
    text: 'upi://pay',
  });
});

it.each(['x'.repeat(2_953), '₹'.repeat(984), '9'.repeat(2_953)])(
  'the longest allowed text can be rendered',
  (text) => {
    expect(next({ action: { type: 'qr', qr: text } })).toEqual({ kind: 'qr', text });
    expect(render(text)).toContain('<path');
  },
);

it.each([
  ['that is too long', 'x'.repeat(2_954)],
  ['with half a character in it', 'upi://pay?\ud83c'],
])('a text %s fails, or the picture is shown instead', (_what, text) => {
  expect(() => render(text)).toThrow();
  expect(next({ action: { type: 'qr', qr: text } })).toEqual(broken);
  expect(next({ action: { type: 'qr', qr: text, qrBase64: PNG } })).toMatchObject({ kind: 'qr' });
  expect(next({ action: { type: 'qr' } })).toEqual(broken);
});

it.each([
  PNG,
  `data:image/png;base64,${PNG}`,
  ` DATA:image/PNG;base64,${PNG.slice(0, 40)}\n${PNG.slice(40)}`,
])('[spec 4.payment.5] a QR code shows a picture with or without its prefix: %s', (picture) => {
  expect(next({ action: { type: 'qr', qrBase64: picture } })).toEqual({
    kind: 'qr',
    image: `data:image/png;base64,${PNG}`,
  });
});

it('accepts a JPEG', () => {
  expect(qrImage('data:image/jpg;base64,/9j/4AAQSkZJRg==')).toBe('data:image/jpeg;base64,/9j/4AAQSkZJRg==');
});

it.each([
  btoa('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
  `data:image/svg+xml;base64,${btoa('<svg/>')}`,
  `data:text/html;base64,${btoa('<script>')}`,
  '<svg onload=alert(1)>',
  'https://evil.example/a.png',
  `iVBORw0KGgo"onerror=alert(1)`,
  PNG.slice(0, 12) + 'A'.repeat(400_000),
  '',
])('fails for anything but a small PNG or JPEG', (qrBase64) => {
  expect(next({ action: { type: 'qr', qrBase64 } })).toEqual(broken);
});

it.each([
  ['upi://pay?pa=a@bank&pn=Fresh%20Fruits&am=1397.50&tr=A', { amount: 1397.5, payee: 'Fresh Fruits' }],
  ['UPI://pay?pa=shop@bank', { payee: 'shop@bank' }],
  ['upi://pay?am=&pn=', {}],
  ['upi://pay?am=-5', {}],
  ['upi://pay?am=free&pn=%E0%A4%A', { payee: '\uFFFD%A' }],
  ['upi://pay', {}],
  ['https://pay.example', undefined],
])('[spec 4.payment.13] the details of %s: %j', (link, details) => expect(upiDetails(link)).toEqual(details));
