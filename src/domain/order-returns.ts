import type { OrderReturn, ReturnLine, ReturnState } from './order-history.ts';

/* What may be returned, and how a return ends. Only pages that show returns load it. */

/** What the shopper reads, by the return's state in the API. */
const RETURN_TEXTS: Readonly<Record<ReturnState, string>> = {
  asked: 'We have your request and will answer it',
  accepted: 'Accepted',
  refused: 'Refused',
  received: 'The goods have arrived',
  refunded: 'Done. The money goes back to you',
};

/**
 * The ends of a return besides its refund. `state` is what the API sends beside it, for shops that know no endings: pieces
 * of a refused return may be requested again. A new ending is a line here and in `RETURN_STEPS` (src/server/fulfilment).
 */
export const RETURN_ENDINGS = {
  replaced: { state: 'received', text: 'Replaced. The new goods are on their way' },
  refused: { state: 'refused', text: 'Refused' },
  nothing_came: { state: 'refused', text: 'Over. Nothing has come back to us' },
  withdrawn: { state: 'refused', text: 'Withdrawn' },
} as const satisfies Readonly<Record<string, { readonly state: ReturnState; readonly text: string }>>;

export type ReturnEnding = keyof typeof RETURN_ENDINGS;

export const isReturnEnding = (name: string): name is ReturnEnding => Object.hasOwn(RETURN_ENDINGS, name);

export const returnEndings = (): ReturnEnding[] => Object.keys(RETURN_ENDINGS).filter(isReturnEnding);

/** In characters. */
export const MAX_REASON_LENGTH = 500;

type Pieces = Partial<ReturnLine> & Pick<ReturnLine, 'quantity'>;

/** How many pieces of each line can still be returned. Refused pieces may be requested again. */
export function returnable(
  items: readonly Pieces[],
  returns: readonly Pick<OrderReturn, 'state' | 'lines'>[],
): ReadonlyMap<string, number> {
  const left = new Map(items.map(({ line = '', quantity }) => [line, quantity]));
  left.delete('');
  for (const { state, lines } of returns)
    for (const { line, quantity } of state === 'refused' ? [] : lines)
      left.set(line, (left.get(line) ?? 0) - quantity);
  return left;
}

interface Returnable {
  readonly items: readonly Pieces[];
  readonly returns?: readonly OrderReturn[] | undefined;
  readonly returnUntil?: string | undefined;
}

/** Whether the shopper may request a return. The API decides until when, because a device's clock may be wrong. */
export const canReturn = ({ returnUntil, items, returns = [] }: Returnable): boolean =>
  Boolean(returnUntil) &&
  returns.every(({ state }) => state !== 'asked') &&
  [...returnable(items, returns).values()].some((pieces) => pieces > 0);

/** Whether the customer may withdraw the return: until the goods have arrived. */
export const isWithdrawable = ({ state, ending }: Partial<OrderReturn>): boolean =>
  !ending && (state === 'asked' || state === 'accepted');

/** Rows for an order's details: the state of each return and the shop's answer. */
export const returnFacts = (returns: readonly OrderReturn[]): (readonly [string, string])[] =>
  returns.flatMap(({ state, ending = '', answer }) => [
    ['Return', isReturnEnding(ending) ? RETURN_ENDINGS[ending].text : RETURN_TEXTS[state]] as const,
    ...(answer === '' ? [] : [['Our answer', answer] as const]),
  ]);
