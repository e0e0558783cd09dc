import { telLink } from '#components/tel-link.ts';
import { paths } from '#paths.ts';
import { clearStoredTexts, fetchStoreTexts, type StoreTexts, storedTexts } from '#stores/shell/store-info.ts';

const LINKS: readonly (readonly [RegExp, (text: string) => string])[] = [
  [/^companyPhone$/, telLink],
  [/^companyEmail$/, (email) => `mailto:${email}`],
  [/^category\d$/, paths.category],
];

/** Puts the record's texts in the places that are built, and moves nothing else. */
function draw(texts: StoreTexts | undefined): void {
  for (const place of document.querySelectorAll<HTMLElement>('[data-store]')) {
    const key = place.dataset.store ?? '';
    const text = texts?.[key];
    if (!text || place.textContent?.trim() === text) continue;
    place.textContent = text;
    place.closest('[hidden]')?.removeAttribute('hidden');
    const toAddress = LINKS.find(([pattern]) => pattern.test(key))?.[1];
    if (toAddress && place instanceof HTMLAnchorElement) place.href = toAddress(text);
  }
}

/** Tells of a failure only where the page was built without what it is for (resolutions 24). */
function tellMissing(texts: StoreTexts | undefined): void {
  const missing = document.querySelector('[data-store-missing]');
  if (!missing) return;
  const known = texts?.companyEmail || texts?.companyPhone || texts?.companyAddress;
  missing.toggleAttribute('hidden', Boolean(known));
  // It says that a refresh helps.
  if (!known) clearStoredTexts();
}

/** Quietly, once a session (resolutions 22, 24). */
export async function refreshStoreTexts(): Promise<void> {
  const texts = storedTexts() ?? (await fetchStoreTexts());
  draw(texts);
  tellMissing(texts);
}
