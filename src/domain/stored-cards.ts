import type { Card } from './card.ts';
import { isPrice } from './money.ts';

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Reads only what a card shows. Ignores the encoded picture, whose files a later build may have removed. */
function toCard(value: unknown): Card | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const card: Partial<Record<keyof Card, unknown>> = value;
  if (typeof card.id !== 'string' || card.id === '' || typeof card.name !== 'string') return undefined;
  return {
    id: card.id,
    name: card.name,
    price: isPrice(card.price) ? card.price : 0,
    ...(isPrice(card.originalPrice) ? { originalPrice: card.originalPrice } : {}),
    image: text(card.image),
    category: text(card.category),
    sizes: isTexts(card.sizes) ? card.sizes : [],
    colors: isTexts(card.colors) ? card.colors : [],
    tint: /^tint-\d+$/.test(text(card.tint)) ? text(card.tint) : 'tint-11',
  };
}

/** Reads the stored cards. Drops the invalid ones, never throws. */
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
