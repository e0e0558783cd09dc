import { atom } from 'nanostores';
import type { Card } from '#domain/card.ts';
import { isPrice } from '#domain/money.ts';
import { readStored, watchStored, writeStored } from './storage.ts';

/** Products the visitor wants to remember, kept on this device alone (resolutions 21b). */

export const WISHLIST_KEY = 'wishlist';
const CARDS_LIMIT = 200;

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Only what a card shows is read back; the picture is the server's own, which no new build takes away. */
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

/** What is stored, as cards: valid ones are kept, never a throw. */
export function decodeWishlist(stored: string | null): Card[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    if (!Array.isArray(value)) return [];
    return value
      .slice(0, CARDS_LIMIT)
      .map(toCard)
      .filter((card) => card !== undefined);
  } catch {
    return [];
  }
}

/** Newest first. */
export const $wishlist = atom<readonly Card[]>([]);

const refresh = (): void => $wishlist.set(decodeWishlist(readStored(WISHLIST_KEY)));

refresh();
watchStored(WISHLIST_KEY, refresh);

function keep(cards: readonly Card[]): void {
  $wishlist.set(cards);
  writeStored(WISHLIST_KEY, JSON.stringify(cards));
}

/** Puts the product on the list or takes it off. Returns whether it is on it now. */
export function toggleWish(card: Card): boolean {
  const cards = decodeWishlist(readStored(WISHLIST_KEY));
  const others = cards.filter(({ id }) => id !== card.id);
  const added = others.length === cards.length;
  const { picture: _, ...kept } = card;
  keep(added ? [kept, ...others].slice(0, CARDS_LIMIT) : others);
  return added;
}

/** Applies what the catalogue says today of products on the list. */
export const updateWishes = (cards: readonly Card[]): void => keep(cards);
