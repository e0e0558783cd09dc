// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { handleNewsletter } from '#components/home/newsletter.ts';
import { $toasts } from '#stores/shell/toasts.ts';
import { fakeApi } from '#tests/unit/stores/support/fake-api.ts';

test('[spec 2.home.16, 2.home.17, 7.none.1] the newsletter thanks and calls nobody', () => {
  const { asked } = fakeApi({});
  document.body.innerHTML =
    '<form data-newsletter><input name="email" type="email" required><button>Subscribe</button></form>';
  handleNewsletter();
  const field = document.querySelector('input');
  document.querySelector('button')?.click();
  expect($toasts.get()).toEqual([]);
  if (field) field.value = 'asha@example.com';
  document.querySelector('button')?.click();
  expect($toasts.get()).toMatchObject([{ title: 'Subscribed', text: 'Thank you for subscribing.' }]);
  expect(field?.value).toBe('');
  expect(asked).toEqual([]);
});
