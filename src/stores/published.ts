import { atom } from 'nanostores';

/** What was published beside what the API has now (spec 2, API test, beyond the spec's own answer). */
export interface Published {
  readonly publishedAt: string;
  readonly products: number;
  /** Absent where the API does not answer. */
  readonly liveProducts?: number;
}

export const $published = atom<Published | undefined>(undefined);

/** Nothing where this site was only built, not published. */
export async function comparePublished(): Promise<void> {
  const [{ fetchBuildInfo }, { fetchProductPage }] = await Promise.all([
    import('#api/build-info.ts'),
    import('#api/products.ts'),
  ]);
  const info = await fetchBuildInfo();
  if (!info) return;
  const live = await fetchProductPage(1, 1);
  const { publishedAt, products } = info;
  $published.set({ publishedAt, products, ...(live.ok ? { liveProducts: live.value.total } : {}) });
}
