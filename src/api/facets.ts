import type { Facets } from '#domain/refine.ts';

const TIMEOUT_MS = 10_000;
const COLUMNS = ['at', 'price', 'was', 'day', 'sizes', 'colors'];

/* By hand, like the listing's files: the table is the build's own. */
const isFacets = (value: unknown): value is Facets =>
  typeof value === 'object' && value !== null && COLUMNS.every((name) => name in value);

/** What the build knows of a listing to sort and narrow it; nothing where it cannot be had. */
export async function fetchFacets(slug: string): Promise<Facets | undefined> {
  try {
    const response = await fetch(`/listing/${slug}/facets.json`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const facets: unknown = await response.json();
    return isFacets(facets) ? facets : undefined;
  } catch {
    return undefined;
  }
}
