import { atom } from 'nanostores';
import { sendReturn } from '#api/orders.ts';
import type { Order } from '#domain/order.ts';
import { canReturn } from '#domain/order-return.ts';
import { RETURN_WAITS } from '#domain/refusals.ts';
import type { ReturnLine } from '#domain/return-state.ts';
import { serverText } from '#stores/account/form.ts';
import { endsSession } from '#stores/account/private-page.ts';
import { notify } from '#stores/shell/toasts.ts';
import { readOwnOrder } from './own-order.ts';

export interface AskingReturn {
  readonly isWorking: boolean;
  /** What is missing, or why it did not work; '' for nothing. */
  readonly problem: string;
}

const EMPTY: AskingReturn = { isWorking: false, problem: '' };

const NO_ANSWER = 'The shop did not answer. Try again: a return is asked for only once.';

/** What the open form shows. */
export const $askingReturn = atom<AskingReturn>(EMPTY);

export const openReturnForm = (): void => $askingReturn.set(EMPTY);

/** What a return asks for, as a text to compare. */
const wishOf = (reason: string, lines: readonly ReturnLine[]): string =>
  JSON.stringify([reason.trim().split(/\s+/), lines.map(({ line, quantity }) => [line, quantity])]);

/** Whether the order has a return with this wish. Another tab may have asked for something else. */
const isAsked = ({ returns = [] }: Order, wish: string): boolean =>
  returns.some(({ state, reason, lines }) => state === 'asked' && wishOf(reason, lines) === wish);

/**
 * Asks for a return. If the answer is missing or bad, it reads the order again to see whether the server has stored the
 * return all the same, or whether the order can no longer be returned.
 * @param onChange is told what the order is now
 */
export async function askReturn(
  { id }: Order,
  reason: string,
  lines: readonly ReturnLine[],
  onChange: (order: Order) => void,
): Promise<void> {
  if ($askingReturn.get().isWorking) return;
  if (lines.length === 0 || reason.trim() === '') {
    $askingReturn.set({ isWorking: false, problem: 'Choose what to return, and say why.' });
    return;
  }
  $askingReturn.set({ isWorking: true, problem: '' });
  const result = await sendReturn(id, reason, lines);
  if (!result.ok && endsSession(result.failure)) return;
  const found = result.ok ? result.value : await readOwnOrder(id);
  const order = found === 'unknown' ? undefined : found;
  const problem = result.ok ? undefined : serverText(result.failure);
  if (order && (result.ok || isAsked(order, wishOf(reason, lines)))) {
    onChange(order);
    notify({ title: 'Return asked for', text: 'Send nothing back before we have answered.' });
  } else if (order && !canReturn(order)) {
    onChange(order);
    notify({ title: 'Error', text: problem ?? RETURN_WAITS, tone: 'error' });
  } else $askingReturn.set({ isWorking: false, problem: problem ?? NO_ANSWER });
}
