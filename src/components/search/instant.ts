import { cardsAt } from '#api/listing-data.ts';
import { element } from '#components/markup.ts';
import { cardMarkup } from '#components/product/card.ts';
import { PAGE_SIZE } from '#domain/listing.ts';
import { paths } from '#paths.ts';
import { keepInHistory, keptInHistory, replaceAddress } from '#stores/shell/address.ts';
import { keyOf, onEvents } from '#stores/shell/events.ts';
import { whenPageIdle } from '#stores/shell/page-load.ts';
import { createSearch, type Found } from './engine.ts';

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

function moveByKeys(field: HTMLInputElement, list: HTMLElement, onClear: () => void): void {
  const onKey = (event: KeyboardEvent): void => {
    const key = keyOf(event);
    if (key === 'Escape') {
      if (field.value === '' && document.activeElement === field) return;
      event.preventDefault();
      field.value = '';
      onClear();
      field.focus();
      return;
    }
    const step = STEPS[key];
    if (step === undefined) return;
    const stops = [field, ...list.querySelectorAll<HTMLElement>('h3 a')];
    const card = document.activeElement?.closest('li')?.querySelector<HTMLElement>('h3 a');
    const current = card ? stops.indexOf(card) : 0;
    const next = stops[current + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  field.addEventListener('keydown', onKey);
  list.addEventListener('keydown', onKey);
}

/** A catalogue of at most this many pages is prefetched whole, so that it can be searched offline. */
const PREFETCHED_PAGES = 20;

const part = (name: string): HTMLElement | null => document.querySelector(`[data-search-${name}]`);

const show = (name: string, shown: boolean): void => void part(name)?.toggleAttribute('hidden', !shown);

/** Sets the status only if it changes, because screen readers announce it each time it is set. */
function setStatus(text: string): void {
  const status = part('status');
  if (status && status.textContent !== text) status.textContent = text;
}

const countText = (count: number): string => `${count} ${count === 1 ? 'result' : 'results'}`;

const { title } = document;

/** Updates the address, so that the search can be shared and Back from a product restores it. */
function updateAddress(text: string): void {
  const address = text ? paths.searchFor(text) : paths.search;
  if (location.pathname + location.search !== address) replaceAddress(address);
  document.title = text ? `${text}: ${title}` : title;
}

/** Returns the cards of a page of results, or undefined if none can be fetched. */
async function cardsFrom(
  found: readonly Found[],
  from: number,
  count = PAGE_SIZE,
): Promise<Element[] | undefined> {
  const page = found.slice(from, from + count);
  const cards = await cardsAt(page.map(({ place }) => place));
  // A different name means a card of another release, in which the places differ.
  const matching = cards.filter((card, index) => card && card.name === page[index]?.name);
  if (page.length > 0 && matching.length === 0) return undefined;
  return matching.flatMap((card) => (card ? [cardMarkup(element, card, 'lazy')] : []));
}

/** At most 75 times in 30 s, because Safari refuses more than 100 changes of the address. */
const ADDRESS_DELAY_MS = 400;

export function searchWhileTyping(form: HTMLFormElement, field: HTMLInputElement): void {
  const list = part('results');
  const search = createSearch((form.dataset.shards ?? '').split(' '));
  let latestRun = 0;
  let addressTimer = 0;
  let found: readonly Found[] = [];
  /** How many results have been rendered, including those whose card is missing. */
  let rendered = 0;
  /** How many were rendered when the visitor left the page. */
  let before = Number(keptInHistory().shown) || 0;

  function render(cards: readonly Element[], count = PAGE_SIZE): void {
    list?.append(...cards);
    rendered += count;
    show('more', rendered < found.length);
  }

  async function update(): Promise<void> {
    const text = field.value.trim();
    latestRun += 1;
    const run = latestRun;
    clearTimeout(addressTimer);
    addressTimer = window.setTimeout(updateAddress, ADDRESS_DELAY_MS, text);
    const matches = text === '' ? [] : await search.find(text);
    if (run !== latestRun) return;
    const count = Math.max(before, PAGE_SIZE);
    const cards = matches && (await cardsFrom(matches, 0, count));
    if (run !== latestRun) return;
    before = 0;
    found = matches ?? [];
    rendered = 0;
    list?.replaceChildren();
    show('more', false);
    if (cards) render(cards, count);
    show('heading', found.length > 0 && cards !== undefined);
    show('failed', text !== '' && !cards);
    show('none', text !== '' && cards !== undefined && found.length === 0);
    show('ideas', text === '' || found.length === 0);
    setStatus(text === '' || !cards ? '' : `${countText(found.length)} for “${text}”`);
  }

  /** Renders the next page of results, unless a newer search or another press has changed them meanwhile. */
  async function showMore(): Promise<void> {
    const [results, from] = [found, rendered];
    const cards = await cardsFrom(results, from);
    if (found !== results || rendered !== from || !cards) return;
    render(cards);
    cards[0]?.querySelector<HTMLElement>('h3 a')?.focus();
  }

  field.addEventListener('input', () => void update());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void update().then(() => list?.querySelector<HTMLElement>('h3 a')?.focus());
  });
  // Before the visitor leaves for a product.
  list?.addEventListener('click', () => updateAddress(field.value.trim()));
  onEvents(['pagehide'], () => keepInHistory({ shown: rendered }));
  part('more')?.addEventListener('click', () => void showMore());
  if (list) moveByKeys(field, list, () => void update());
  void update();
  const pages = Number(form.dataset.pages);
  if (pages <= PREFETCHED_PAGES) {
    whenPageIdle(() => void cardsAt(Array.from({ length: pages }, (_, page) => page * PAGE_SIZE)));
  }
}
