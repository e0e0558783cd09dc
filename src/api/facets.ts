import { type Facets, isFacets } from '#domain/refine.ts';

const TIMEOUT_MS = 10_000;

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
