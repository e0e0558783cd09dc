import { atom, computed } from 'nanostores';
import type { Failure } from '#api/failure.ts';
import type { Cart } from '#domain/cart.ts';
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
import type { Product } from '#domain/product.ts';
import { $cart, updateLines } from './cart.ts';
import { pageLoaded } from './page-loaded.ts';

const AT_ONCE = 6;
/** An answer younger than this counts as today's. */
const FRESH_MS = 60_000;
const NOT_FOUND = 404;

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

const toToday = ({ name, image, price }: Product): Today =>
  price > 0 ? { status: 'sold', name, image, price } : { status: 'unpriced' };

const isGone = (failure: Failure): boolean => failure.kind === 'refused' && failure.status === NOT_FOUND;

/** A call that fails otherwise than by 404 says nothing, so that the cart stays usable (faults 5). */
async function ask(id: string): Promise<readonly [string, Today] | undefined> {
  try {
    const { fetchProduct } = await import('#api/products.ts');
    const result = await fetchProduct(id);
    if (result.ok) return [id, toToday(result.value)];
    return isGone(result.failure) ? [id, { status: 'gone' }] : undefined;
  } catch {
    // The code did not load: offline, or a release ago.
    return undefined;
  }
}

function settle(accepted: boolean): void {
  const { today } = $check.get();
  if ($cart.get().every((line) => isSettled(line, today.get(line.id), accepted))) return;
  updateLines((line) => settleLine(line, today.get(line.id), accepted));
}

/** The prices seen before the first check of a line stay, so that 'was' survives the settling. */
const learn = (found: readonly (readonly [string, Today])[], cart: Cart): void => {
  const { today, before } = $check.get();
  $check.set({
    today: new Map([...today, ...found]),
    before: new Map([...pricesOf(cart), ...before]),
  });
};

async function checkDue(): Promise<void> {
  const now = Date.now();
  const ids = [...new Set($cart.get().map(({ id }) => id))];
  const due = ids.filter((id) => now - (askedAt.get(id) ?? 0) > FRESH_MS);
  for (const id of due) askedAt.set(id, now);
  for (let start = 0; start < due.length; start += AT_ONCE) {
    const answers = await Promise.all(due.slice(start, start + AT_ONCE).map(ask));
    learn(
      answers.filter((answer) => answer !== undefined),
      $cart.get(),
    );
  }
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
export const acceptPrices = (): void => settle(true);

/** The server refused an order because of this product: what was known of it no longer counts. */
export function askAgain(id: string): Promise<void> {
  askedAt.delete(id);
  return checkPrices();
}

function askAllAgain(): void {
  askedAt.clear();
  void checkPrices();
}

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
