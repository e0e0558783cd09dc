// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from 'vitest';
import { fakeApi } from '#tests/unit/stores/support/fake-api.ts';

const TERMS = {
  delivery: { charge: 40, freeFrom: null, places: [{ digits: '411', charge: 25 }] },
  served: ['411', '400'],
};

/** Opens the page of a product with the form of Place.astro. */
async function openProduct() {
  document.body.innerHTML = '<form><input /><p role="status"></p></form>';
  const { calls } = fakeApi({ 'GET storeInfo': () => Response.json(TERMS) });
  vi.resetModules();
  const { watchPlace } = await import('#components/product/place.ts');
  const [form] = document.forms;
  const input = form?.querySelector('input');
  if (!form || !input) throw new Error('There is no form.');
  const submit = watchPlace(form);
  const type = (text: string): void => {
    input.value = text;
    submit();
  };
  return { calls, input, type, note: () => document.querySelector('[role=status]')?.textContent };
}

beforeEach(() => localStorage.clear());

it.each([
  ['४११ ००१', 'We deliver to 411001. Shipping costs ₹25 on every order.'],
  ['400001', 'We deliver to 400001. Shipping costs ₹40 on every order.'],
  ['560001', 'We do not deliver to 560001. We deliver to PIN codes that begin with 411, 400.'],
  ['012', 'PIN codes have 6 digits and do not start with 0.'],
])('says what %s costs, or that it is not served', async (typed, answer) => {
  const { type, note } = await openProduct();
  type(typed);
  await expect.poll(note).toBe(answer);
});

it('remembers the place on this device, and follows another tab', async () => {
  const { type, note, calls } = await openProduct();
  expect(calls()).toEqual([]);
  type('411001');
  await expect.poll(note).toContain('411001');
  expect(localStorage.getItem('fresh-fruits.place')).toBe('411001');
  const next = await openProduct();
  await expect.poll(next.note).toContain('411001');
  expect(next.input.value).toBe('411001');
  localStorage.setItem('fresh-fruits.place', '560001');
  window.dispatchEvent(new StorageEvent('storage', { key: 'fresh-fruits.place' }));
  await expect.poll(next.note).toContain('560001');
  next.type('');
  await expect.poll(next.note).toBe('');
  expect(localStorage.getItem('fresh-fruits.place')).toBeNull();
});
