import { atom } from 'nanostores';
import type { RawAnswer } from '#api/diagnosis.ts';
import type { ListingPage } from '#api/listing-data.ts';
import { type CatalogueDiff, diffCatalogues } from '#domain/catalogue-diff.ts';
import { PAGE_SIZE } from '#domain/listing.ts';
import { listingDataPath } from '#domain/listing-data.ts';
import type { Product } from '#domain/product.ts';

export type ApiTest =
  | { readonly status: 'idle' }
  | { readonly status: 'running' }
  | { readonly status: 'answered'; readonly answer: RawAnswer; readonly data: string }
  | { readonly status: 'failed'; readonly text: string };

export const IDLE_TEST: ApiTest = { status: 'idle' };

export const $apiTest = atom<ApiTest>(IDLE_TEST);

const CONNECTION_FAILED = 'Connection failed. Check console for details.';
/** Units: characters. The policies are long and come last, so the rest of the store record is shown whole. */
const DATA_LIMIT = 50_000;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export async function runApiTest(): Promise<void> {
  if ($apiTest.get().status === 'running') return;
  $apiTest.set({ status: 'running' });
  try {
    const { fetchRawStoreInfo } = await import('#api/diagnosis.ts');
    const answer = await fetchRawStoreInfo();
    if (!answer) return $apiTest.set({ status: 'failed', text: CONNECTION_FAILED });
    const data = JSON.stringify(answer.data, null, 2).slice(0, DATA_LIMIT);
    $apiTest.set({ status: 'answered', answer, data });
  } catch (error) {
    $apiTest.set({ status: 'failed', text: `Unexpected error: ${messageOf(error)}` });
  }
}

export interface Published {
  readonly publishedAt: string;
  readonly products: number;
  /** Absent if the API does not answer. */
  readonly liveProducts?: number;
  /** Absent if the whole catalogue could not be compared. */
  readonly diff?: CatalogueDiff;
}

export const $published = atom<Published | undefined>(undefined);

/** Units: products. A larger catalogue would take too many requests, so only the counts are compared. */
const COMPARED_LIMIT = 600;

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

async function publishedCards(products: number): Promise<ListingPage['cards'] | undefined> {
  const { fetchListingData } = await import('#api/listing-data.ts');
  const numbers = range(Math.ceil(products / PAGE_SIZE));
  const pages = await Promise.all(numbers.map((page) => fetchListingData(listingDataPath('all', page))));
  const found = pages.filter((page) => page !== undefined);
  return found.length < pages.length ? undefined : found.flatMap(({ cards }) => cards);
}

/** `first` is the first page of the live catalogue, `total` the number of products. */
async function liveProducts(first: readonly Product[], total: number): Promise<Product[] | undefined> {
  const { fetchPublic } = await import('#api/client.ts');
  const { productPageRequest, PAGE_LIMIT } = await import('#api/requests.ts');
  const numbers = range(Math.ceil(total / PAGE_LIMIT)).slice(1);
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
