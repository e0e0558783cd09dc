import type { Card } from './card.ts';
import { isPrice } from './money.ts';
import type { Whole } from './product.ts';

const NEUTRAL_TINT = 'tint-11';

const isStringArray = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const stringOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Drops `picture`, because a later build may have removed its files. */
function toCard(value: unknown): Card | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const stored: Partial<Record<keyof Card, unknown>> = value;
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
  };
  return card;
}

/** Parses stored cards. Drops invalid ones and never throws. */
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
