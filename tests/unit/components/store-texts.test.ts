// @vitest-environment jsdom
import { beforeEach, expect, it } from 'vitest';
import { refreshStoreTexts } from '#components/shell/store-texts.ts';
import { fakeApi } from '#tests/unit/stores/support/fake-api.ts';

const FAILURE = 'Failed to load store information. Please refresh the page.';
const missing = (): Element | null => document.querySelector('[data-store-missing]');
const email = (): Element | null => document.querySelector('[data-store=companyEmail]');

/** The markup of ContactDetails.astro, built without the store's details. */
const EMPTY_PAGE = `<p data-store-missing hidden>${FAILURE}</p>
  <div hidden><a href="mailto:" data-store="companyEmail"></a></div>`;

beforeEach(() => sessionStorage.clear());
it('[spec 4.store.1] shows the loaded texts', async () => {
  document.body.innerHTML = EMPTY_PAGE;
  fakeApi({ 'GET storeInfo': () => Response.json({ companyEmail: 'care@shop.example' }) });
  await refreshStoreTexts();
  expect(email()?.outerHTML).toContain('mailto:care@shop.example');
  expect(email()?.closest('[hidden]')).toBeNull();
  expect(missing()?.hasAttribute('hidden')).toBe(true);
});

it('[spec 8.store.1] after a failure, each page without built details says so until the API responds', async () => {
  for (const [status, isMissing] of [
    [404, true],
    [404, true],
    [200, false],
  ] as const) {
    document.body.innerHTML = EMPTY_PAGE;
    fakeApi({ 'GET storeInfo': () => Response.json({ companyEmail: 'care@shop.example' }, { status }) });
    await refreshStoreTexts();
    expect(missing()?.hasAttribute('hidden')).toBe(!isMissing);
  }
  expect(email()?.textContent).toBe('care@shop.example');
});

it('[spec 8.store.1] after a failure, a page with built details still shows them without an error', async () => {
  document.body.innerHTML = '<a href="mailto:a@b.example" data-store="companyEmail">a@b.example</a>';
  fakeApi({ 'GET storeInfo': () => Response.json({ error: 'No' }, { status: 404 }) });
  await refreshStoreTexts();
  expect(document.body.textContent).toBe('a@b.example');
});
