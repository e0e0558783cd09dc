import { createHash } from 'node:crypto';
import type * as v from 'valibot';
import { nameKey } from '#domain/product.ts';
import { type FilteredProduct, filteredProduct } from '#domain/product-filters.ts';
import { priceMoments, salePhase } from '#domain/sale.ts';
import { catalogueVersion } from '#server/db/catalogue-version.ts';
import { json } from '#server/db/columns.ts';
import type { Reader } from '#server/db/database.ts';
import { q } from '#server/db/query.ts';
import { isImageName } from '#server/http/names.ts';
import { type Clock, isoTime } from '#server/process/clock.ts';
import type { CatalogueCache } from '#server/services/services.ts';
import type { StoreAnswerSchema } from '#server/store/schema.ts';
import { storeDto, storedStore } from '#server/store/stored-store.ts';
import { type CatalogueProduct, CatalogueProductSchema } from './schema.ts';

/** Returns the DTO of a product, with the price of this moment. @param now ms since 1970 */
function dtoAt(product: CatalogueProduct, now: number): CatalogueProduct {
  const { saleFrom, saleUntil, ...always } = product;
  return salePhase(product, now) === 'now' ? product : { ...always, discountedPrice: null };
}

const SOLD = q.selectFrom('products').select('dto').where('discontinued', '=', 0);

/** The fields of GET /storeInfo that come from the settings. */
type ApiInfo = Pick<
  v.InferOutput<typeof StoreAnswerSchema>,
  'capabilities' | 'paymentProviders' | 'mailProvider' | 'retention'
>;

/** Units: ms since 1970. The prices are right from `from` until `until`. */
async function load(db: Reader, apiOrigin: string, apiInfo: ApiInfo, now: number) {
  const imageUrl = (image: string): string => (isImageName(image) ? `${apiOrigin}/images/${image}` : image);

  const entries = new Map<string, FilteredProduct & { readonly json: string }>();
  let [from, until] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const rows = await db.rows(SOLD.orderBy('position').orderBy('id'), { dto: json(CatalogueProductSchema) });
  for (const { dto } of rows) {
    const images = dto.images.map(({ url }) => ({ url: imageUrl(url) }));
    for (const moment of priceMoments(dto)) {
      if (moment <= now) from = Math.max(from, moment);
      else until = Math.min(until, moment);
    }
    const text = JSON.stringify({ ...dtoAt(dto, now), imgUrl: imageUrl(dto.imgUrl), images });
    entries.set(dto.id, { ...filteredProduct(dto), json: text });
  }
  const all = [...entries.values()];

  const store = await storedStore(db);
  const live = new Set(all.flatMap(({ category, parentCategory }) => [category, parentCategory]));
  const moved = new Map(
    Object.entries(store?.moved?.categories ?? {})
      .map(([old, current]) => [nameKey(old), nameKey(current)] as const)
      .filter(([old]) => !live.has(old)),
  );
  const planned = Number.isFinite(from) ? { pricesSince: isoTime(from) } : {};
  const storeJson = JSON.stringify({ ...(store && storeDto(store, imageUrl)), ...apiInfo, ...planned });
  // A hash of the DTOs, because another version of the server may send the same rows differently.
  const hash = createHash('sha256').update(storeJson);
  for (const entry of all) hash.update(entry.json);
  const catalogueCache: CatalogueCache = {
    etag: `"${hash.digest('base64url').slice(0, 22)}"`,
    compressed: new Map(),
    storeInfo: storeJson,
    storeName: store?.storeName ?? '',
    categoryNow: (name) => moved.get(nameKey(name)) ?? name,
    cashOnDelivery: store?.cashOnDelivery ?? { most: null, pinCodes: [] },
    product: (id) => entries.get(id)?.json,
    list(matches, first, count) {
      const found = all.filter(matches);
      return { page: found.slice(first, first + count).map(({ json }) => json), total: found.length };
    },
  };
  return { catalogueCache, from, until };
}

/** How often the stored version is checked, in ms. */
const CHECK_INTERVAL = 250;

/**
 * Caches the stored catalogue in memory. It is read again within `CHECK_INTERVAL` after a change by any process, and at
 * once when a planned price begins or ends.
 */
export function createCatalogue(
  db: Reader,
  apiOrigin: string,
  clock: Clock,
  apiInfo: () => ApiInfo = () => ({ capabilities: [] }),
): () => Promise<CatalogueCache> {
  let current: (Awaited<ReturnType<typeof load>> & { version: string }) | undefined;
  let checked: { at: number; answer: Promise<CatalogueCache> } | undefined;
  let isReading = false;

  /** Reads again if the catalogue changed meanwhile, so that the cache never mixes two versions. */
  async function readStored(): Promise<CatalogueCache> {
    while (true) {
      const version = (await catalogueVersion(db)) ?? '';
      const now = clock();
      if (current?.version === version && current.from <= now && now < current.until)
        return current.catalogueCache;
      current = { version, ...(await load(db, apiOrigin, apiInfo(), now)) };
    }
  }

  return () => {
    const now = clock();
    const freshUntil = Math.min((checked?.at ?? 0) + CHECK_INTERVAL, current?.until ?? 0);
    const isFresh = checked && checked.at <= now && now < freshUntil;
    // Reading a large catalogue takes longer than the interval. Requests share one read.
    if (checked && (isFresh || isReading)) return checked.answer;
    isReading = true;
    const answer = readStored().finally(() => {
      isReading = false;
    });
    checked = { at: now, answer };
    answer.catch(() => {
      checked = undefined;
    });
    return answer;
  };
}
