// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest';
import { handleContactForm } from '#components/contact/form.ts';
import { handleNewsletter, refreshFeatured } from '#components/home/home.ts';
import { followForm } from '#stores/shell/stored-form.ts';
import { $toasts } from '#stores/shell/toasts.ts';
import { productDto } from '#tests/support/product-dtos.ts';
import { fakeApi } from '#tests/unit/stores/support/fake-api.ts';

afterEach(() => {
  vi.useRealTimers();
  $toasts.set([]);
});

const names = ['name', 'email', 'subject', 'message'];

test('[spec 2.contact.4, 2.contact.5, 2.contact.6, 7.none.1, 9.contact.1] without the capability, the form reports success after 1.5 seconds and makes no request', () => {
  vi.useFakeTimers();
  const { requests } = fakeApi({});
  document.body.innerHTML = `<form data-contact>${names.map((name) => `<input name="${name}" required>`).join('')}
    <button><span>Send Message</span></button></form>`;
  const fields = [...document.querySelectorAll('input')];
  for (const field of fields) field.value = 'asha@example.com';
  handleContactForm();
  const button = document.querySelector('button');
  button?.click();
  expect([button?.textContent, button?.getAttribute('aria-disabled')]).toEqual(['Sending...', 'true']);
  vi.advanceTimersByTime(1_400);
  expect($toasts.get()).toEqual([]);
  vi.advanceTimersByTime(200);
  expect($toasts.get()).toMatchObject([
    { title: 'Message Sent', text: "Thank you for contacting us. We'll get back to you shortly." },
  ]);
  expect(button?.textContent).toBe('Send Message');
  expect(fields.map(({ value }) => value)).toEqual(['', '', '', '']);
  expect(requests).toEqual([]);
});

test('[spec 2.home.16, 2.home.17, 7.none.1] the newsletter form shows a notice and makes no request', () => {
  const { requests } = fakeApi({});
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
  expect(requests).toEqual([]);
});

test('a field is tidied after an input method has composed, not before', () => {
  document.body.innerHTML = '<form><input name="code"></form>';
  const [form, field] = [document.querySelector('form'), document.querySelector('input')];
  if (!form || !field) throw new Error('The form is missing');
  const texts = new Map([['code', '']]);
  const change = (name: string, text: string) => void texts.set(name, text.toUpperCase());
  followForm(form, { texts: () => texts, change, listen: () => () => {} });
  field.value = 'ab';
  field.dispatchEvent(new InputEvent('input', { bubbles: true, isComposing: true }));
  expect(field.value).toBe('ab');
  field.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
  expect(field.value).toBe('AB');
});

test.each([
  [
    '[spec 4.featured.1, 7.products.7] a page built without featured products fetches four and shows them',
    () => Response.json({ data: [productDto({ id: 'a' }), productDto({ id: 'b' })] }),
    ['a', 'b'],
    0,
  ],
  [
    '[spec 4.featured.2] a failure is only logged, and no products are shown',
    () => Response.json({ error: 'No' }, { status: 400 }),
    [],
    1,
  ],
])('%s', async (_, answer, ids, warnings) => {
  const urls: string[] = [];
  vi.stubGlobal('fetch', async (...called: ConstructorParameters<typeof Request>) => {
    urls.push(new Request(...called).url);
    return answer();
  });
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  document.body.innerHTML =
    '<ul data-featured="Berries" aria-busy="true"><li></li></ul><p data-featured-none hidden></p>';
  const [list, none] = [...document.querySelectorAll<HTMLElement>('ul, p')];
  refreshFeatured();
  await expect.poll(() => list?.hasAttribute('aria-busy')).toBe(false);
  const cards = [...document.querySelectorAll<HTMLElement>('.card')];
  expect(cards.map(({ dataset }) => dataset.id)).toEqual(ids);
  expect([list?.hidden, none?.hidden]).toEqual([ids.length === 0, ids.length > 0]);
  const { searchParams } = new URL(urls[0] ?? '');
  expect([searchParams.get('category'), searchParams.get('limit')]).toEqual(['berries', '4']);
  expect(warn).toHaveBeenCalledTimes(warnings);
  expect($toasts.get()).toEqual([]);
});
