import type { Card } from '#domain/card.ts';

/** A page of the listing, from the build's files or from the API. */
export interface ListingPage {
  readonly cards: readonly Card[];
  readonly total: number;
}

const TIMEOUT_MS = 10_000;

/* Checked without valibot: the listing needs the file before any library has loaded, and the build wrote it. */
const isCard = (value: unknown): value is Card =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  'name' in value &&
  'price' in value &&
  'sizes' in value &&
  'colors' in value;

/** Fetches a listing file of the build. Resolves to undefined if it is missing or invalid. */
export async function fetchFragment(path: string): Promise<ListingPage | undefined> {
  try {
    const response = await fetch(path, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const page: { cards?: unknown; total?: unknown } = await response.json();
    const { cards, total } = page;
    return Array.isArray(cards) && cards.every(isCard) && typeof total === 'number'
      ? { cards, total }
      : undefined;
  } catch {
    return undefined;
  }
}
