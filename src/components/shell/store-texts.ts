import { addStyles, element } from '#components/markup.ts';
import { telLink } from '#domain/store-info.ts';
import { paths } from '#paths.ts';
import { clearStoredTexts, fetchStoreTexts, type StoreTexts, storedTexts } from '#stores/shell/store-info.ts';
import css from './pause-line.css?inline';

const LINKS: readonly (readonly [RegExp, (text: string) => string])[] = [
  [/^companyPhone$/, telLink],
  [/^companyEmail$/, (email) => `mailto:${email}`],
  [/^category\d$/, paths.category],
];

function render(texts: StoreTexts | undefined): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-store]')) {
    const key = element.dataset.store ?? '';
    const text = texts?.[key];
    if (!text || element.textContent?.trim() === text) continue;
    element.textContent = text;
    element.closest('[hidden]')?.removeAttribute('hidden');
    const toAddress = LINKS.find(([pattern]) => pattern.test(key))?.[1];
    if (toAddress && element instanceof HTMLAnchorElement) element.href = toAddress(text);
  }
}

/** Adds, changes or removes the line of PauseLine.astro. */
function renderPause({ pause, pauseOwn = '', pauseTime = '' }: StoreTexts): void {
  const built = document.querySelector<HTMLElement>('[data-pause]');
  if (pause === '') built?.remove();
  if (!pause) return;
  const line = built ?? element('p', { class: 'pause-line', role: 'status' });
  if (!built) {
    addStyles(css);
    document.querySelector('main')?.prepend(line);
  }
  const [from = 0, until = 0] = pauseTime.split(' ').map(Number);
  line.dataset.pause = pauseTime;
  line.hidden = Date.now() < from || Date.now() >= until;
  line.replaceChildren(element('span', {}, pause), ' ', element('span', { translate: 'no' }, pauseOwn));
}

/** Shows the failure only on a page that was built without contact details. */
function showMissing(texts: StoreTexts | undefined): void {
  const missing = document.querySelector('[data-store-missing]');
  if (!missing) return;
  const hasContact = Boolean(texts?.companyEmail || texts?.companyPhone || texts?.companyAddress);
  missing.toggleAttribute('hidden', hasContact);
  // The message suggests a refresh, which must then fetch the texts again.
  if (!hasContact) clearStoredTexts();
}

export async function refreshStoreTexts(): Promise<void> {
  const texts = storedTexts() ?? (await fetchStoreTexts());
  render(texts);
  renderPause(texts ?? {});
  showMissing(texts);
}
