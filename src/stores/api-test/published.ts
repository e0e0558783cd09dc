import { atom } from 'nanostores';
import type { ListingPage } from '#api/fragment.ts';
import { type CatalogueDiff, diffCatalogues } from '#domain/catalogue-diff.ts';
import { PAGE_SIZE } from '#domain/listing.ts';
import { fragmentPath } from '#domain/listing-fragment.ts';
import type { Product } from '#domain/product.ts';

/** The published site compared with the live API. It is shown in addition to what the specification asks for. */
export interface Published {
  readonly publishedAt: string;
  readonly products: number;
  /** Absent if the API does not answer. */
  readonly liveProducts?: number;
  /** Absent if the whole catalogue could not be compared. */
  readonly diff?: CatalogueDiff;
}

export const $published = atom<Published | undefined>(undefined);

/** In products. Comparing a larger catalogue would take too many requests, so only the counts are shown. */
const COMPARED_LIMIT = 600;

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

async function publishedCards(products: number): Promise<ListingPage['cards'] | undefined> {
  const { fetchFragment } = await import('#api/fragment.ts');
  const numbers = range(Math.ceil(products / PAGE_SIZE));
  const pages = await Promise.all(numbers.map((page) => fetchFragment(fragmentPath('all', page))));
  const found = pages.filter((page) => page !== undefined);
  return found.length < pages.length ? undefined : found.flatMap(({ cards }) => cards);
}

/** `first` is the first page of the live catalogue, `total` the number of products. */
async function liveProducts(first: readonly Product[], total: number): Promise<Product[] | undefined> {
  const { fetchPublic } = await import('#api/client.ts');
  const { productPageRequest, WIRE_LIMIT } = await import('#api/requests.ts');
  const numbers = range(Math.ceil(total / WIRE_LIMIT)).slice(1);
  const results = await Promise.all(numbers.map((page) => fetchPublic(productPageRequest(page))));
  const found = results.flatMap((result) => (result.ok ? [result.value.products] : []));
  return found.length < results.length ? undefined : [...first, ...found.flat()];
}

async function compare(
  products: number,
  first: readonly Product[],
  total: number,
): Promise<CatalogueDiff | undefined> {
  if (Math.max(products, total) > COMPARED_LIMIT) return undefined;
  const [cards, live] = await Promise.all([publishedCards(products), liveProducts(first, total)]);
  return cards && live && diffCatalogues(cards, live);
}

/** Fills `$published`, unless this site was built but not published. */
export async function comparePublished(): Promise<void> {
  const [{ fetchBuildInfo }, { fetchPublic }, { productPageRequest }] = await Promise.all([
    import('#api/build-info.ts'),
    import('#api/client.ts'),
    import('#api/requests.ts'),
  ]);
  const { publishedAt, products } = (await fetchBuildInfo()) ?? {};
  if (publishedAt === undefined || products === undefined) return;
  const answer = await fetchPublic(productPageRequest(1));
  if (!answer.ok) return $published.set({ publishedAt, products });
  const { total, products: first } = answer.value;
  const diff = await compare(products, first, total);
  $published.set({ publishedAt, products, liveProducts: total, ...(diff ? { diff } : {}) });
}
