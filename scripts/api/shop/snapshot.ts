import type { FilteredProduct } from '#domain/product-filters.ts';
import type { StoreRecord } from '#domain/store-fields.ts';
import type { CompressedAnswers } from '#scripts/api/http/cached-answer.ts';

/** The catalogue of one version, as JSON that is ready to be sent. */
export interface Snapshot {
  readonly etag: string;
  readonly compressed: CompressedAnswers;
  readonly storeInfo: string;
  /** UPI apps show it as the payee. */
  readonly storeName: string;
  readonly cashOnDelivery: StoreRecord['cashOnDelivery'];
  readonly product: (id: string) => string | undefined;
  /** Returns a page of the products that match, and how many match in all. `key` identifies the filter in the cache. */
  readonly list: (
    key: string,
    matches: (product: FilteredProduct) => boolean,
    from: number,
    count: number,
  ) => { page: string[]; total: number };
}
