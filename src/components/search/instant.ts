import { cardsAt } from '#components/listing/cards-at.ts';
import { newCard } from '#components/product/card.ts';
import { PAGE_SIZE } from '#domain/listing.ts';
import { paths } from '#paths.ts';
import { whenIdle } from '#stores/shell/idle.ts';
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

/** The cards of a page of what was found; nothing where none can be had. */
async function cardsFrom(found: readonly Found[], from: number): Promise<Element[] | undefined> {
  const wanted = found.slice(from, from + PAGE_SIZE);
  const cards = await cardsAt(wanted.map(({ place }) => place));
  // At another name the place is another release's: its card is another product.
  const fit = cards.filter((card, index) => card && card.name === wanted[index]?.name);
  if (wanted.length > 0 && fit.length === 0) return undefined;
  return fit.flatMap((card) => (card ? [newCard(card, 'lazy')] : []));
}

/** Searches while somebody types, and draws what it finds with the shop's own card. */
export function attend(form: HTMLFormElement, field: HTMLInputElement): void {
  const list = part('results');
  const search = createSearch((form.dataset.shards ?? '').split(' '));
  let latest = 0;
  let found: readonly Found[] = [];
  /** How many of them have been drawn, or could not be. */
  let drawn = 0;

  function draw(cards: readonly Element[]): void {
    list?.append(...cards);
    drawn += PAGE_SIZE;
    show('more', drawn < found.length);
  }

  async function run(): Promise<void> {
    const text = field.value.trim();
    latest += 1;
    const mine = latest;
    keepInAddress(text);
    const answer = text === '' ? [] : await search.find(text);
    if (mine !== latest) return;
    const cards = answer && (await cardsFrom(answer, 0));
    if (mine !== latest) return;
    found = answer ?? [];
    drawn = 0;
    list?.replaceChildren();
    show('more', false);
    if (cards) draw(cards);
    show('heading', found.length > 0 && cards !== undefined);
    show('failed', text !== '' && !cards);
    show('none', text !== '' && cards !== undefined && found.length === 0);
    show('ideas', text === '' || found.length === 0);
    say(text === '' || !cards ? '' : `${results(found.length)} for “${text}”`);
  }

  /** The next page of the results; none where they, or what is drawn of them, are others by then. */
  async function more(): Promise<void> {
    const [of, from] = [found, drawn];
    const cards = await cardsFrom(of, from);
    if (found !== of || drawn !== from || !cards) return;
    draw(cards);
    cards[0]?.querySelector<HTMLElement>('h3 a')?.focus();
  }

  field.addEventListener('input', () => void run());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void run().then(() => list?.querySelector<HTMLElement>('h3 a')?.focus());
  });
  part('more')?.addEventListener('click', () => void more());
  if (list) moveByKeys(field, list, () => void run());
  void run();
  const pages = Number(form.dataset.pages);
  if (pages <= KEPT_PAGES) {
    whenIdle(() => cardsAt(Array.from({ length: pages }, (_, page) => page * PAGE_SIZE)));
  }
}
