import type { Card } from '#domain/card.ts';

/** A page of the listing, from the build's files or from the API. */
export interface ListingPage {
  readonly cards: readonly Card[];
  readonly total: number;
}

const TIMEOUT_MS = 10_000;

/* By hand: the listing shows before any library is there, and the file is the build's own. */
const isCard = (value: unknown): value is Card =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  'name' in value &&
  'price' in value &&
  'sizes' in value &&
  'colors' in value;

/** A file of the build; nothing where it is missing or is not what it should be. */
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
