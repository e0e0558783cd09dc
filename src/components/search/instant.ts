import { cardsAt } from '#components/listing/cards-at.ts';
import { newCard } from '#components/product/card.ts';
import { PAGE_SIZE } from '#domain/listing.ts';
import { paths } from '#paths.ts';
import { whenIdle } from '#stores/idle.ts';
import { createSearch, type Found } from './engine.ts';
import { moveByKeys } from './keys.ts';

/** Pages of everything that are fetched ahead, so that a small shop can be searched without a signal. */
const KEPT_PAGES = 20;

const part = (name: string): HTMLElement | null => document.querySelector(`[data-search-${name}]`);

const show = (name: string, shown: boolean): void => void part(name)?.toggleAttribute('hidden', !shown);

/** Says how many, once: the region is read out each time its text changes. */
function say(text: string): void {
  const status = part('status');
  if (status && status.textContent !== text) status.textContent = text;
}

const results = (count: number): string => `${count} ${count === 1 ? 'result' : 'results'}`;

const { title } = document;

/** The address can be shared, and Back from a product comes to it. */
function keepInAddress(text: string): void {
  const address = text ? paths.searchFor(text) : paths.search;
  if (location.pathname + location.search !== address) history.replaceState(history.state, '', address);
  document.title = text ? `${text}: ${title}` : title;
}

async function drawMore(list: HTMLElement, found: readonly Found[]): Promise<boolean> {
  const from = list.childElementCount;
  const wanted = found.slice(from, from + PAGE_SIZE);
  const cards = await cardsAt(wanted.map(({ place }) => place));
  // At another name the place is another release's: its card is another product.
  const fit = cards.filter((card, index) => card?.name === wanted[index]?.name);
  if (from === 0) list.replaceChildren();
  list.append(...fit.flatMap((card) => (card ? [newCard(card, 'lazy')] : [])));
  return wanted.length === 0 || fit.length > 0;
}

/** Searches while somebody types, and draws what it finds with the shop's own card. */
export function attend(form: HTMLFormElement, field: HTMLInputElement): void {
  const list = part('results');
  const search = createSearch((form.dataset.shards ?? '').split(' '));
  let latest = 0;
  let found: readonly Found[] = [];

  const offerMore = (): void => show('more', (list?.childElementCount ?? 0) < found.length);

  async function run(): Promise<void> {
    const text = field.value.trim();
    latest += 1;
    const mine = latest;
    keepInAddress(text);
    const answer = text === '' ? [] : await search.find(text);
    if (mine !== latest || !list) return;
    found = answer ?? [];
    const fresh = document.createElement('ul');
    const drawn = answer !== undefined && (await drawMore(fresh, found));
    if (mine !== latest) return;
    list.replaceChildren(...fresh.children);
    show('heading', found.length > 0 && drawn);
    show('failed', text !== '' && !drawn);
    show('none', text !== '' && drawn && found.length === 0);
    show('ideas', text === '' || found.length === 0);
    offerMore();
    say(text === '' || !drawn ? '' : `${results(found.length)} for “${text}”`);
  }

  field.addEventListener('input', () => void run());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void run().then(() => list?.querySelector<HTMLElement>('h3 a')?.focus());
  });
  part('more')?.addEventListener('click', () => {
    const next = list?.childElementCount ?? 0;
    if (!list) return;
    void drawMore(list, found).then(() => {
      offerMore();
      list.children[next]?.querySelector<HTMLElement>('h3 a')?.focus();
    });
  });
  if (list) moveByKeys(field, list, () => void run());
  void run();
  const pages = Number(form.dataset.pages);
  if (pages <= KEPT_PAGES) {
    whenIdle(() => cardsAt(Array.from({ length: pages }, (_, page) => page * PAGE_SIZE)));
  }
}
