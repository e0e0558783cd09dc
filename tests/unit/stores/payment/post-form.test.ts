// @vitest-environment jsdom
import { expect, it, vi } from 'vitest';
import { postForm } from '#stores/payment/post-form.ts';

it('[spec 4.payment.2] [fault 54] [fault 57] posts every field under its name, also submit and __proto__', () => {
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
