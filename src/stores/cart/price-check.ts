import { atom, computed, onMount } from 'nanostores';
import type * as Forecasts from '#domain/buying/forecast.ts';
import type { CartLine } from '#domain/cart.ts';
import { amountsOf, subtotalOf } from '#domain/order-amounts.ts';
import {
  checkCart,
  orderable,
  type PricesBefore,
  pricesOf,
  settleLine,
  type TodayById,
} from '#domain/price-check.ts';
import { onEvents, onVisible, stopAll } from '#stores/shell/events.ts';
import { pageLoaded } from '#stores/shell/page-load.ts';
import { inTime } from '#stores/shell/pause.ts';
import { notify } from '#stores/shell/toasts.ts';
import { $cart } from './cart.ts';
import { updateLines } from './cart-edits.ts';
import { $place } from './place.ts';
import { fetchProductsInBatches, type ProductAnswer } from './products-today.ts';
import { $delivery, $terms, refreshTerms } from './terms.ts';

const FRESH_MS = 60_000;

interface Check {
  readonly today: TodayById;
  /** The prices before the lines were updated. The page shows them as 'was'. */
  readonly before: PricesBefore;
}

const NO_ANSWERS: Check = { today: new Map(), before: new Map() };

const $check = atom<Check>(NO_ANSWERS);
const requestedAt = new Map<string, number>();

const NOTHING: ReturnType<typeof Forecasts.sentencesOf> = { order: [], place: [] };

/** The rules, which no first view waits for. Without them the page forecasts nothing, and the API decides. */
const $forecasts = atom<typeof Forecasts | undefined>();

async function loadForecasts(): Promise<void> {
  if ($forecasts.get()) return;
  const code = await inTime(import('#domain/buying/forecast.ts')).catch(() => undefined);
  $forecasts.set(code);
}

/** The lines of the cart with today's data, or as stored until the API has answered. */
export const $checkedCart = computed([$cart, $check, $forecasts], (cart, { today, before }, forecasts) => {
  return checkCart(cart, today, before, forecasts?.lineForecasts(cart, today, Date.now()));
});
export const $orderableCart = computed($checkedCart, orderable);

/** The PIN code to which the cart goes: the one of the address once it is typed, else the remembered place, or ''. */
export const $typedPlace = atom('');
export const $postalCode = computed([$typedPlace, $place], (typed, place) => typed || place);

export const $amounts = computed([$orderableCart, $delivery, $postalCode], amountsOf);

/** Why the order as a whole will be refused, and its place. */
export const $forecast = computed(
  [$orderableCart, $check, $postalCode, $amounts, $terms, $forecasts],
  (cart, { today }, postalCode, { total }, store, forecasts) => {
    const facts = store && { store, postalCode, total, subtotal: subtotalOf(cart) };
    return facts && forecasts ? forecasts.sentencesOf(cart, today, facts, Date.now()) : NOTHING;
  },
);

/** Writes today's data into the cart, but a higher price only after the customer has accepted it. */
function settle(accepted: boolean): void {
  const { today } = $check.get();
  const settled = (line: CartLine): CartLine => settleLine(line, today.get(line.id), accepted);
  if ($cart.get().some((line) => settled(line) !== line)) updateLines(settled);
}

/** Stores a line's first price in `before`, because `settle` overwrites it in the cart. */
function storeAnswers(answers: readonly ProductAnswer[]): void {
  const { today, before } = $check.get();
  const todays = answers.flatMap(([id, answer]) => (answer ? [[id, answer] as const] : []));
  $check.set({
    today: new Map([...today, ...todays]),
    before: new Map([...pricesOf($cart.get()), ...before]),
  });
}

async function checkDue(): Promise<boolean> {
  const now = Date.now();
  const ids = [...new Set($cart.get().map(({ id }) => id))];
  const due = ids.filter((id) => now - (requestedAt.get(id) ?? 0) > FRESH_MS);
  // Without a new answer the cart stays as it is: another tab may have written newer prices.
  if (due.length === 0) return true;
  for (const id of due) requestedAt.set(id, now);
  const unanswered = new Set(due);
  let isAnswered = false;
  const take = (answers: readonly ProductAnswer[]): void => {
    for (const [id] of answers) unanswered.delete(id);
    isAnswered ||= answers.some(([, answer]) => answer !== undefined);
    storeAnswers(answers);
  };
  await Promise.all([fetchProductsInBatches(due, take), refreshTerms(), loadForecasts()]);
  for (const id of unanswered) requestedAt.delete(id);
  settle(false);
  return isAnswered;
}

let lastCheck: Promise<unknown> = Promise.resolve();

/**
 * Compares the cart with the catalogue. A product is not requested again within a minute. Resolves when this check and
 * the earlier ones have ended, with false if the API did not answer. Never rejects.
 */
export function checkPrices(): Promise<boolean> {
  const check = lastCheck.then(checkDue);
  lastCheck = check;
  return check;
}

export function acceptPrices(): void {
  settle(true);
  notify({ title: 'New prices accepted' });
}

/** Requests every product again, because an order needs current prices. */
export function checkAllPrices(): Promise<boolean> {
  requestedAt.clear();
  return checkPrices();
}

/**
 * While the lines are shown, prices are checked after the page load, when the cart changes, when the page becomes
 * visible, and when the network is back.
 */
onMount($checkedCart, () => {
  // Islands are also rendered at build, where there is no cart.
  if (typeof document === 'undefined') return;
  const watching = pageLoaded().then(() => $cart.subscribe(() => void checkPrices()));
  return stopAll(
    onVisible(() => void checkPrices()),
    onEvents(['online'], () => void checkAllPrices()),
    () => void watching.then((stop) => stop()),
  );
});
