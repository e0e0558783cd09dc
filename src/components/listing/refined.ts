import { fetchFacets } from '#api/facets.ts';
import type { ListingPage } from '#api/fragment.ts';
import { type ListingQuery, PAGE_SIZE } from '#domain/listing.ts';
import { type FragmentIndex, fragmentSlug } from '#domain/listing-fragment.ts';
import { toPaise } from '#domain/money.ts';
import { type Facets, parseRefinement, REFINED_LIMIT, refine } from '#domain/refine.ts';
import { cardsAt } from './cards-at.ts';

/** Loaded where a listing is sorted or narrowed. */

const EVERYTHING = { category: '', parentCategory: '', featured: false };

/** The listings that together make the query: one for each of its filters, or everything. */
function slugsOf({ category, parentCategory, featured }: ListingQuery): (string | undefined)[] {
  const filters = [
    ...(category ? [{ category }] : []),
    ...(parentCategory ? [{ parentCategory }] : []),
    ...(featured ? [{ featured }] : []),
  ];
  return (filters.length > 0 ? filters : [{}]).map((filter) => fragmentSlug({ ...EVERYTHING, ...filter }));
}

export interface Table {
  readonly facets: Facets;
  /** The places that the other filters leave. */
  readonly within: ReadonlySet<number> | undefined;
}

const isSmall = (known: FragmentIndex, slug: string): boolean =>
  (known[slug]?.[1] ?? 0) <= Math.ceil(REFINED_LIMIT / PAGE_SIZE);

/**
 * The table of the query's listing; 'too-long' where only a category's could be sorted, 'unknown' where the build has
 * none, because the category is newer or one of too many; nothing where it cannot be had.
 */
export async function tableOf(
  query: ListingQuery,
  known: FragmentIndex,
): Promise<Table | 'too-long' | 'unknown' | undefined> {
  const slugs = slugsOf(query);
  const built = slugs.filter((slug): slug is string => slug !== undefined && Object.hasOwn(known, slug));
  if (built.length < slugs.length) return 'unknown';
  if (!built.every((slug) => isSmall(known, slug))) return 'too-long';
  const [facets, ...others] = await Promise.all(built.map((slug) => fetchFacets(slug)));
  if (!facets || others.includes(undefined)) return undefined;
  const within = others.map((other) => new Set(other?.at));
  const [first] = within;
  return {
    facets,
    within: first && new Set([...first].filter((place) => within.every((places) => places.has(place)))),
  };
}

/** A page of the sorted and narrowed listing, from the build's files; see tableOf for where there is none. */
export async function refinedPage(
  query: ListingQuery,
  known: FragmentIndex,
): Promise<ListingPage | 'unknown' | undefined> {
  const table = await tableOf(query, known);
  if (table === 'unknown') return table;
  if (!table || table === 'too-long') return undefined;
  const { facets, within } = table;
  const rows = refine(facets, parseRefinement(new URLSearchParams(query.refined)), within);
  const shown = rows.slice((query.page - 1) * PAGE_SIZE, query.page * PAGE_SIZE);
  const cards = await cardsAt(shown.map((row) => facets.at[row] ?? -1));
  // A card of another price is another release's, and stands at another place there.
  const found = cards.filter(
    (card, index) => card && toPaise(card.price) === facets.price[shown[index] ?? -1],
  );
  return found.length < shown.length
    ? undefined
    : { cards: found.filter((card) => card !== undefined), total: rows.length };
}
