import type { Card } from './card.ts';
import { isPrice } from './money.ts';
import { present } from './whole.ts';

/** The class of the panel behind the picture when the stored card has none. */
const NEUTRAL_TINT = 'tint-11';

const isStringArray = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const stringOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Checks one stored card. Leaves out `picture`, because a later build may have removed its files. */
function toCard(value: unknown): Card | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const card: Partial<Record<keyof Card, unknown>> = value;
  const tint = stringOrEmpty(card.tint);
  if (typeof card.id !== 'string' || card.id === '' || typeof card.name !== 'string') return undefined;
  return present<Card>({
    id: card.id,
    name: card.name,
    price: isPrice(card.price) ? card.price : 0,
    originalPrice: isPrice(card.originalPrice) ? card.originalPrice : undefined,
    image: stringOrEmpty(card.image),
    category: stringOrEmpty(card.category),
    sizes: isStringArray(card.sizes) ? card.sizes : [],
    colors: isStringArray(card.colors) ? card.colors : [],
    tint: /^tint-\d+$/.test(tint) ? tint : NEUTRAL_TINT,
    picture: undefined,
  });
}

/** Parses the cards of the wishlist or of the recently viewed products. Drops the invalid ones, never throws. */
export function decodeCards(stored: string | null, limit: number): Card[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    if (!Array.isArray(value)) return [];
    return value
      .slice(0, limit)
      .map(toCard)
      .filter((card) => card !== undefined);
  } catch {
    return [];
  }
}
