import { atom, computed } from 'nanostores';
import {
  checkCart,
  isSettled,
  orderable,
  type PricesBefore,
  pricesOf,
  settleLine,
  type Today,
  type TodayById,
} from '#domain/price-check.ts';
import type { CatalogueAnswer } from '#domain/requested-items.ts';
import { pageLoaded } from '#stores/shell/page-loaded.ts';
import { notify } from '#stores/shell/toasts.ts';
import { $cart } from './cart.ts';
import { updateLines } from './cart-edits.ts';
import { askProducts } from './products-today.ts';

/** An answer younger than this counts as today's. */
const FRESH_MS = 60_000;

interface Check {
  readonly today: TodayById;
  readonly before: PricesBefore;
}

const NOTHING_KNOWN: Check = { today: new Map(), before: new Map() };

const $check = atom<Check>(NOTHING_KNOWN);
const askedAt = new Map<string, number>();

/** The lines of the cart as the catalogue has them today; until it answers, as they are stored. */
export const $checkedCart = computed([$cart, $check], (cart, { today, before }) =>
  checkCart(cart, today, before),
);
/** What can be ordered, at today's prices. */
export const $orderableCart = computed($checkedCart, orderable);

function toToday(answer: Exclude<CatalogueAnswer, undefined>): Today {
  if (answer === 'gone') return { status: 'gone' };
  const { name, image, price } = answer;
  return price > 0 ? { status: 'sold', name, image, price } : { status: 'unpriced' };
}

function settle(accepted: boolean): void {
  const { today } = $check.get();
  if ($cart.get().every((line) => isSettled(line, today.get(line.id), accepted))) return;
  updateLines((line) => settleLine(line, today.get(line.id), accepted));
}

/** The prices seen before the first check of a line stay, so that 'was' survives the settling. */
function learn(answers: readonly (readonly [string, CatalogueAnswer])[]): void {
  const { today, before } = $check.get();
  const found = answers.flatMap(([id, answer]) => (answer ? [[id, toToday(answer)] as const] : []));
  $check.set({
    today: new Map([...today, ...found]),
    before: new Map([...pricesOf($cart.get()), ...before]),
  });
}

async function checkDue(): Promise<void> {
  const now = Date.now();
  const ids = [...new Set($cart.get().map(({ id }) => id))];
  const due = ids.filter((id) => now - (askedAt.get(id) ?? 0) > FRESH_MS);
  // Another tab may have been told something else since: only what was asked now is written down.
  if (due.length === 0) return;
  for (const id of due) askedAt.set(id, now);
  await askProducts(due, learn);
  settle(false);
}

let running: Promise<void> = Promise.resolve();

/**
 * Compares the cart with the catalogue: each product once, a few at a time, those asked in the last minute not again.
 * Resolves when all that is under way is known; never rejects.
 */
export function checkPrices(): Promise<void> {
  running = running.then(checkDue);
  return running;
}

/** The shopper's yes to what has become dearer (faults 67). */
export function acceptPrices(): void {
  settle(true);
  notify({ title: 'New prices accepted' });
}

/** The server refused an order because of this product: what was known of it no longer counts. */
export function askAgain(id: string): Promise<void> {
  askedAt.delete(id);
  return checkPrices();
}

/** Asks for every product, whenever it was asked last: before an order, prices of a minute ago will not do (faults 67). */
export function checkAllPrices(): Promise<void> {
  askedAt.clear();
  return checkPrices();
}

const askAllAgain = (): void => void checkAllPrices();

/** Checks once the page has loaded, and whenever a product joins the cart. Returns the way to stop. */
export function watchPrices(): () => void {
  let stop = (): void => {};
  let stopped = false;
  void pageLoaded().then(() => {
    if (!stopped) stop = $cart.subscribe(() => void checkPrices());
  });
  addEventListener('online', askAllAgain);
  return () => {
    stopped = true;
    removeEventListener('online', askAllAgain);
    stop();
  };
}
