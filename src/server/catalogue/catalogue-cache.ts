import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { type FilteredProduct, filteredProduct } from '#domain/product-filters.ts';
import { discountAt, priceMoments } from '#domain/sale.ts';
import type { Reader } from '#server/db/database.ts';
import { isImageName } from '#server/http/names.ts';
import { type Clock, isoTime } from '#server/process/clock.ts';
import { catalogueVersion } from '#server/services/catalogue-version.ts';
import type { CatalogueCache } from '#server/services/services.ts';
import type { StoreAnswerSchema } from '#server/store/schema.ts';
import { storeDto, storedStore } from '#server/store/stored-store.ts';
import { type CatalogueProduct, ProductSchema } from './schema.ts';

interface Entry extends FilteredProduct {
  /** The product as it is sent. */
  readonly json: string;
}

/** The product as it is sent, at the prices of the moment. */
function sentAt({ saleFrom, saleUntil, ...product }: CatalogueProduct, now: number) {
  return { ...product, discountedPrice: discountAt({ ...product, saleFrom, saleUntil }, now) };
}

const DtoRowSchema = v.object({ dto: v.pipe(v.string(), v.parseJson(), ProductSchema) });

/** How many filters are cached. Strangers can invent any number of them. */
const CACHED_FILTERS = 200;

/** A snapshot, and from when until when its prices are right, in ms since 1970. */
interface Loaded {
  readonly catalogueCache: CatalogueCache;
  readonly from: number;
  readonly until: number;
}

/** What the API says of itself in the store record. */
type About = Pick<
  v.InferOutput<typeof StoreAnswerSchema>,
  'capabilities' | 'paymentProviders' | 'mailProvider' | 'retention'
>;

async function load(db: Reader, apiOrigin: string, about: About, now: number): Promise<Loaded> {
  const imageUrl = (image: string): string => (isImageName(image) ? `${apiOrigin}/images/${image}` : image);

  const entries = new Map<string, Entry>();
  let [from, until] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const rows = await db.all(
    DtoRowSchema,
    'SELECT dto FROM products WHERE discontinued = 0 ORDER BY position, id',
  );
  for (const { dto } of rows) {
    const images = dto.images.map(({ url }) => ({ url: imageUrl(url) }));
    for (const moment of priceMoments(dto)) {
      if (moment <= now) from = Math.max(from, moment);
      else until = Math.min(until, moment);
    }
    const json = JSON.stringify({ ...sentAt(dto, now), imgUrl: imageUrl(dto.imgUrl), images });
    entries.set(dto.id, { ...filteredProduct(dto), json });
  }
  const all = [...entries.values()];
  const filtered = new Map<string, Entry[]>();

  const store = await storedStore(db);
  const planned = Number.isFinite(from) ? { pricesSince: isoTime(from) } : {};
  const storeJson = JSON.stringify({ ...(store && storeDto(store, imageUrl)), ...about, ...planned });
  // The hash is of what is sent, because another version of the program may send the same catalogue differently.
  const hash = createHash('sha256').update(storeJson);
  for (const { json } of all) hash.update(json);
  const catalogueCache: CatalogueCache = {
    etag: `"${hash.digest('base64url').slice(0, 22)}"`,
    compressed: new Map(),
    storeInfo: storeJson,
    storeName: store?.storeName ?? '',
    cashOnDelivery: store?.cashOnDelivery ?? { most: null, pinCodes: [] },
    product: (id) => entries.get(id)?.json,
    list(key, matches, first, count) {
      let found = filtered.get(key);
      if (!found) {
        found = all.filter(matches);
        if (filtered.size >= CACHED_FILTERS) filtered.clear();
        filtered.set(key, found);
      }
      return { page: found.slice(first, first + count).map(({ json }) => json), total: found.length };
    },
  };
  return { catalogueCache, from, until };
}

/** How long a snapshot is used before the stored version is checked again, in ms. */
const CHECK_INTERVAL = 250;

/**
 * Gives access to the stored catalogue. When any process has imported another one, it is read again soon afterwards, and at
 * once when a planned price begins or ends.
 */
export function createCatalogue(
  db: Reader,
  apiOrigin: string,
  clock: Clock,
  about: () => About = () => ({ capabilities: [] }),
): () => Promise<CatalogueCache> {
  let current: (Loaded & { version: string }) | undefined;
  let checked: { at: number; answer: Promise<CatalogueCache> } | undefined;
  let isReading = false;

  /** If the catalogue changes while it is read, it is read again, so that a snapshot never mixes two catalogues. */
  async function readStored(): Promise<CatalogueCache> {
    while (true) {
      const version = (await catalogueVersion(db)) ?? '';
      const now = clock();
      if (current?.version === version && current.from <= now && now < current.until)
        return current.catalogueCache;
      current = { version, ...(await load(db, apiOrigin, about(), now)) };
    }
  }

  return () => {
    const now = clock();
    const freshUntil = Math.min((checked?.at ?? 0) + CHECK_INTERVAL, current?.until ?? 0);
    const isFresh = checked && checked.at <= now && now < freshUntil;
    // Reading a large catalogue takes longer than the interval. Requests that come meanwhile wait for the same answer.
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
