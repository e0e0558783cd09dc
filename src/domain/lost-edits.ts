import { addLine, type Cart, type CartLine, decodeCart, lineKey, takeAway } from './cart.ts';
import { idOf } from './cart-text.ts';

/** Of the texts that a page knows, the parents of the last so many are on their way where it does not know them. */
const YOUNG = 50;

/** None where somebody else wrote the text. */
const parentsOf = (text: string): string[] =>
  /^[^\n]*((?:\n[ \t]+)+)$/.exec(text)?.[1]?.split('\n').slice(2) ?? [];

const linesOf = (text: string): Cart => decodeCart(text).lines;

/** A line as the cart has it, so many of it; as it is where the cart has none. */
const asIn = (cart: Cart, line: CartLine): CartLine => ({
  ...(cart.find((other) => lineKey(other) === lineKey(line)) ?? line),
  quantity: line.quantity,
});

/** What was done to `before` to make it `after`, done to `cart`: quantities differ by as much, names and prices stay. */
const redo = (before: Cart, after: Cart, cart: Cart): Cart =>
  takeAway(after, before).reduce(
    (sum, line) => addLine(sum, asIn(sum, line)),
    takeAway(cart, takeAway(before, after)),
  );

/**
 * `cart`, as the text `present` holds it, and done again the edits of the text `lost` that its writer had not heard of
 * (faults 29). The same cart where it had heard of all, where somebody removed the cart or wrote another (faults 32), or
 * where the lost text is none of the `known` any more; they are told oldest first. Undefined as long as it cannot be told
 * from them.
 */
export function redoLost(
  lost: string,
  present: string,
  known: readonly string[],
  cart: Cart,
): Cart | undefined {
  if (!present || parentsOf(present).length === 0) return cart;
  const texts = new Map(known.map((text, index) => [idOf(text), { text, index }] as const).toReversed());
  texts.set(idOf(''), { text: '', index: 0 });
  if (!texts.has(idOf(lost))) return cart;
  const textOf = (id: string): string => texts.get(id)?.text ?? '';
  const isOld = (id: string): boolean => (texts.get(id)?.index ?? 0) <= Math.max(0, known.length - YOUNG);

  const met = new Set([idOf(present)]);
  for (const id of met)
    for (const parent of parentsOf(textOf(id)))
      if (texts.has(parent)) met.add(parent);
      else if (!isOld(id)) return undefined;

  const edits: [before: string, after: string][] = [];
  /** Oldest first. False where it does not lead to what both come from. */
  const collect = (id: string): boolean => {
    if (met.has(id)) return true;
    met.add(id);
    const after = textOf(id);
    const parents = parentsOf(after);
    const [only, ...others] = parents;
    if (only === undefined || !parents.every(collect)) return false;
    // What was made from two is their sum, and no edit.
    if (others.length === 0) edits.push([textOf(only), after]);
    return true;
  };
  if (!collect(idOf(lost))) return undefined;
  return edits.reduce((sum, [before, after]) => redo(linesOf(before), linesOf(after), sum), cart);
}
