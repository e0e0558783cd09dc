import type { Card } from './card.ts';
import { toQuantity } from './cart.ts';
import { type Fields, fieldsOf, isStringArray, listOf, parseJson } from './json.ts';
import { isPrice } from './money.ts';
import type { Whole } from './product.ts';

const NEUTRAL_TINT = 'tint-11';

const stringOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Drops `picture`, because a later build may have removed its files. */
function toCard(value: unknown): Card | undefined {
  const stored: Fields<keyof Card> = fieldsOf(value);
  const tint = stringOrEmpty(stored.tint);
  if (typeof stored.id !== 'string' || stored.id === '' || typeof stored.name !== 'string') return undefined;
  const card: Whole<Card> = {
    id: stored.id,
    name: stored.name,
    price: isPrice(stored.price) ? stored.price : 0,
    originalPrice: isPrice(stored.originalPrice) ? stored.originalPrice : undefined,
    image: stringOrEmpty(stored.image),
    category: stringOrEmpty(stored.category),
    sizes: isStringArray(stored.sizes) ? stored.sizes : [],
    colors: isStringArray(stored.colors) ? stored.colors : [],
    tint: /^tint-\d+$/.test(tint) ? tint : NEUTRAL_TINT,
    picture: undefined,
    soldOut: stringOrEmpty(stored.soldOut) || undefined,
    minPerOrder: toQuantity(stored.minPerOrder),
  };
  return card;
}

/** Parses stored cards. Drops invalid ones and never throws. */
export const decodeCards = (stored: string | null, limit: number): Card[] =>
  listOf(parseJson(stored))
    .slice(0, limit)
    .map(toCard)
    .filter((card) => card !== undefined);
