import { expect, it } from 'vitest';
import { isAppLink, safeDeepLink, safePaymentUrl } from '#domain/payment-target.ts';

const live = { local: false };
const local = { local: true };

it.each([
  ...['javascript:alert(1)', 'JAVASCRIPT:alert(1)', ' javascript:alert(1)', 'java\nscript:alert(1)'],
  ...['data:text/html,x', 'blob:https://pay.example/1', 'file:///etc/passwd', 'ftp://pay.example'],
  ...['intent://pay#Intent;scheme=upi;end', 'https://user@pay.example/', 'https://user:secret@pay.example/'],
  ...['https://', '//pay.example/', '/pay', 'pay.example', '', undefined],
])('[spec 4.payment.11] %j is refused on any page', (address) => {
  expect(safePaymentUrl(address, live)).toBeUndefined();
  expect(safePaymentUrl(address, local)).toBeUndefined();
});

it('the URL of a payment allows https, and http only on a page of localhost', () => {
  expect(safePaymentUrl(' https://pay.example/form?a=1 ', live)).toBe('https://pay.example/form?a=1');
  expect(safePaymentUrl('http://localhost:8044/gateway', local)).toBe('http://localhost:8044/gateway');
  expect(safePaymentUrl('http://localhost:8044/gateway', live)).toBeUndefined();
});

it('the URL of a payment allows only the configured hosts, if there are any', () => {
  const rules = { local: false, paymentHosts: ['pay.example', 'pay.example:8443'] };
  expect(safePaymentUrl('https://pay.example/form', rules)).toBe('https://pay.example/form');
  expect(safePaymentUrl('https://pay.example:8443/form', rules)).toBe('https://pay.example:8443/form');
  for (const host of ['evil.example', 'pay.example.evil.example', 'www.pay.example', 'pay.example:444']) {
    expect(safePaymentUrl(`https://${host}/form`, rules)).toBeUndefined();
  }
});

it('a wildcard allows every host below it', () => {
  const rules = { local: false, paymentHosts: ['*.bank.example'] };
  for (const host of ['secure.bank.example', 'a.b.bank.example'])
    expect(safePaymentUrl(`https://${host}/form`, rules)).toBe(`https://${host}/form`);
  const others = ['bank.example', 'evilbank.example', 'bank.example.evil.example', 'a.bank.example:444'];
  for (const host of others) expect(safePaymentUrl(`https://${host}/form`, rules)).toBeUndefined();
});

it.each([
  ...['upi://pay?pa=shop@bank', 'gpay://pay', 'tez://pay', 'phonepe://pay', 'paytmmp://pay', 'bhim://pay'],
])('[spec 4.payment.12] a deep link %s opens its app', (link) => {
  expect(safeDeepLink(` ${link} `, live)).toBe(link);
  expect(isAppLink(link)).toBe(true);
});

it.each([
  ...['intent://pay#Intent;end', 'javascript:alert(1)', 'data:text/html,x', 'market://x', 'tel:1', 'upi'],
  ...['up\ni://pay', 'upi://pay\u0000', ''],
])('[spec 4.payment.12] a deep link %s opens nothing', (link) => {
  expect(safeDeepLink(link, live)).toBeUndefined();
  expect(isAppLink(link)).toBe(false);
});

it('[spec 4.payment.12] a deep link may be an https URL', () => {
  expect(safeDeepLink('https://pay.example/app', live)).toBe('https://pay.example/app');
  expect(isAppLink('https://pay.example/app')).toBe(false);
  expect(safeDeepLink('http://pay.example/app', live)).toBeUndefined();
});
