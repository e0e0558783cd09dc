import type { Facets } from '#domain/refine.ts';

const TIMEOUT_MS = 10_000;
const COLUMNS = ['at', 'price', 'was', 'day', 'sizes', 'colors'];

/* Checked without valibot, for the reason in fragment.ts. */
const isFacets = (value: unknown): value is Facets =>
  typeof value === 'object' && value !== null && COLUMNS.every((name) => name in value);

/** Fetches the table that the browser sorts and filters a listing with. Resolves to undefined on failure. */
export async function fetchFacets(slug: string): Promise<Facets | undefined> {
  try {
    const response = await fetch(`/listing/${slug}/facets.json`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const facets: unknown = await response.json();
    return isFacets(facets) ? facets : undefined;
  } catch {
    return undefined;
  }
}
