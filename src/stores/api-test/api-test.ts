import { atom } from 'nanostores';
import type { RawAnswer } from '#api/diagnosis.ts';
import { type CatalogueDiff, diffCatalogues } from '#domain/catalogue-diff.ts';
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

/** `first` is the first page of the live catalogue, `total` the number of products. */
async function liveProducts(first: readonly Product[], total: number): Promise<Product[] | undefined> {
  const { fetchPublic } = await import('#api/client.ts');
  const { productPageRequest, PAGE_LIMIT } = await import('#api/requests.ts');
  const numbers = Array.from({ length: Math.ceil(total / PAGE_LIMIT) - 1 }, (_, index) => index + 2);
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
  const { cardsAt } = await import('#api/listing-data.ts');
  const [cards, live] = await Promise.all([cardsAt([...Array(products).keys()]), liveProducts(first, total)]);
  const found = cards.filter((card) => card !== undefined);
  return found.length === products && live ? diffCatalogues(found, live) : undefined;
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
