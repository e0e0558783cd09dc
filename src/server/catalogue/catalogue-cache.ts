import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { sizesOf } from '#domain/attributes.ts';
import type { ProductTerms } from '#domain/buying/facts.ts';
import { startOfDay } from '#domain/date.ts';
import { searchText } from '#domain/fold-text.ts';
import { nameKey } from '#domain/product.ts';
import { type FilteredProduct, filteredProduct } from '#domain/product-filters.ts';
import { priceMoments, salePhase } from '#domain/sale.ts';
import { catalogueVersion } from '#server/db/catalogue-version.ts';
import { json } from '#server/db/columns.ts';
import type { Reader } from '#server/db/database.ts';
import { q } from '#server/db/query.ts';
import type { CompressedAnswers } from '#server/http/cached-answer.ts';
import { isImageName } from '#server/http/names.ts';
import { type Clock, isoTime } from '#server/process/clock.ts';
import type { CatalogueCache } from '#server/services/services.ts';
import {
  detailedStock,
  listedStock,
  type Pieces,
  piecesOf,
  shownUpTo,
  stockFacts,
} from '#server/stock/stock-facts.ts';
import { fewLeft, stockVersion, wholeStock } from '#server/stock/stored-stock.ts';
import { type StoreAnswerSchema, StoreTermsSchema } from '#server/store/schema.ts';
import { storeDto, storedStore } from '#server/store/stored-store.ts';
import { type CatalogueProduct, CatalogueProductSchema } from './schema.ts';

const addressOf = (image: string, apiOrigin: string): string =>
  isImageName(image) ? `${apiOrigin}/images/${image}` : image;

/** Returns the DTO of a product, with the price of this moment and absolute addresses. @param now ms since 1970 */
export function dtoAt(product: CatalogueProduct, apiOrigin: string, now: number): CatalogueProduct {
  const { saleFrom, saleUntil, ...always } = product;
  return {
    ...(salePhase(product, now) === 'now' ? product : { ...always, discountedPrice: null }),
    imgUrl: addressOf(product.imgUrl, apiOrigin),
    images: product.images.map(({ url }) => ({ url: addressOf(url, apiOrigin) })),
  };
}

const SOLD = q.selectFrom('products').select('dto').where('discontinued', '=', 0);

/** The fields of GET /storeInfo that come from the settings. */
type ApiInfo = Pick<
  v.InferOutput<typeof StoreAnswerSchema>,
  'capabilities' | 'paymentProviders' | 'paymentMethods' | 'mailProvider' | 'retention'
>;

interface Entry extends FilteredProduct {
  /** The JSON without stock, up to the last brace. */
  readonly json: string;
  /** The title and the id, as they are searched. */
  readonly names: string;
  readonly terms: ProductTerms;
  readonly sizes: readonly string[];
  /** The counted sizes. */
  readonly pieces: Pieces;
  /** What lists and GET /products/{id} say of the stock. */
  listed: string;
  detailed: string;
}

const hashOf = (texts: Iterable<string>): string => {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text);
  return hash.digest('base64url').slice(0, 22);
};

/** Units: ms since 1970. Prices and days are right from `from` until `until`. */
async function load(db: Reader, apiOrigin: string, apiInfo: ApiInfo, now: number) {
  const entries = new Map<string, Entry>();
  let [from, until] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const counted = await wholeStock(db);
  const rows = await db.rows(SOLD.orderBy('position').orderBy('id'), { dto: json(CatalogueProductSchema) });
  for (const { dto } of rows) {
    for (const moment of [...priceMoments(dto), ...(dto.backOn ? [startOfDay(dto.backOn)] : [])]) {
      if (moment <= now) from = Math.max(from, moment);
      else until = Math.min(until, moment);
    }
    entries.set(dto.id, {
      ...filteredProduct(dto),
      json: JSON.stringify(dtoAt(dto, apiOrigin, now)).slice(0, -1),
      names: searchText(`${dto.title}\n${dto.id}`),
      terms: dto,
      sizes: sizesOf(dto.attributes),
      pieces: piecesOf(counted.get(dto.id)),
      listed: '',
      detailed: '',
    });
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
  const info = { ...(store && storeDto(store, (image) => addressOf(image, apiOrigin))), ...apiInfo };
  const storeInfo = JSON.stringify({ ...info, ...planned });
  const storeTerms = JSON.stringify(v.parse(v.partial(StoreTermsSchema), info));
  // It hashes what is sent, not the rows: another version of the server may send the same rows differently.
  const hash = hashOf([storeInfo, ...all.map((entry) => entry.json)]);

  let compressed: CompressedAnswers = new Map();
  let compressedFor = '';

  const upTo = all.reduce((most, { terms }) => Math.max(most, shownUpTo(terms)), 0);

  /** @param few the pieces of all sizes of which at most `upTo` are left; of the other counted ones there are more */
  function withStock(few: ReadonlyMap<string, Pieces>, version: string): CatalogueCache {
    for (const [id, entry] of entries) {
      if (entry.listed && entry.pieces.size === 0) continue;
      const left = few.get(id);
      const pieces = new Map([...entry.pieces.keys()].map((size) => [size, left?.get(size) ?? Infinity]));
      const facts = stockFacts(entry.terms, entry.sizes, pieces, now);
      entry.listed = `,${JSON.stringify(listedStock(facts)).slice(1)}`;
      entry.detailed = `,${JSON.stringify(detailedStock(facts)).slice(1)}`;
    }
    const listHash = hashOf([hash, ...all.map(({ listed }) => listed)]);
    if (listHash !== compressedFor) compressed = new Map();
    compressedFor = listHash;
    return {
      etag: `"${listHash}"`,
      productEtag: `"${hashOf([listHash, version])}"`,
      compressed,
      storeInfo,
      storeTerms,
      storeName: store?.storeName ?? '',
      categoryNow: (name) => moved.get(nameKey(name)) ?? name,
      cashOnDelivery: store?.cashOnDelivery ?? { most: null, pinCodes: [] },
      product(id) {
        const entry = entries.get(id);
        return entry && entry.json + entry.detailed;
      },
      find(text, max) {
        const words = searchText(text).split(/\s+/);
        const found = all.filter(({ names }) => words.every((word) => names.includes(word)));
        return found.slice(0, max).map((entry) => entry.json + entry.detailed);
      },
      list(matches, first, count) {
        const found = all.filter(matches);
        return {
          page: found.slice(first, first + count).map((entry) => entry.json + entry.listed),
          total: found.length,
        };
      },
    };
  }
  return { withStock, upTo, from, until };
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
  let current:
    | (Awaited<ReturnType<typeof load>> & {
        readonly version: string;
        readonly stock: string;
        readonly cache: CatalogueCache;
      })
    | undefined;
  let checked: { at: number; answer: Promise<CatalogueCache> } | undefined;
  let isReading = false;

  /** Reads again if the catalogue changed meanwhile, so that the cache never mixes two versions. */
  async function readStored(): Promise<CatalogueCache> {
    while (true) {
      const version = (await catalogueVersion(db)) ?? '';
      const stock = await stockVersion(db);
      const now = clock();
      const isLoaded = current?.version === version && current.from <= now && now < current.until;
      if (current && isLoaded && current.stock === stock) return current.cache;
      const loaded = current && isLoaded ? current : await load(db, apiOrigin, apiInfo(), now);
      const cache = loaded.withStock(await fewLeft(db, loaded.upTo), stock);
      current = { ...loaded, version, stock, cache };
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
