import * as v from 'valibot';
import { PAYMENT_KINDS, STORE_TERMS, type StoreTerms } from '#domain/buying/facts.ts';
import { recordFrom, type StoreRecord, valueAt } from '#domain/store-fields.ts';
import type { StoreInfo } from '#domain/store-info.ts';
import { safeImage } from '#domain/url.ts';
import { readValue } from './field-value.ts';
import { filled, line, listOf, text, textMap, unwrap } from './lenient.ts';

const CATEGORY_LIMIT = 200;
const CATEGORY_BYTES = 1_500;
const MOVED_LIMIT = 500;
const POLICY_LIMIT = 20;
const POLICY_LENGTH = 200_000;

/** The cast is needed: TypeScript cannot see that `readValue` returns the value that fits the field's kind. */
const readRecord = (record: unknown): StoreRecord =>
  recordFrom(({ name, field }) => readValue(field, valueAt(record, name))) as StoreRecord;

const PaymentMethods = listOf(v.picklist(PAYMENT_KINDS), PAYMENT_KINDS.length);

const OTHERS = v.object({
  categories: listOf(v.pipe(v.string(), line(CATEGORY_BYTES), v.minLength(1)), CATEGORY_LIMIT),
  categoryImages: v.pipe(
    textMap(v.string(), CATEGORY_LIMIT, 2_048),
    v.transform((images) => new Map([...images].map(([name, url]) => [name, safeImage(url)]))),
  ),
  policies: textMap(v.string(), POLICY_LIMIT, POLICY_LENGTH),
  paymentProviders: listOf(v.object({ name: filled(100), receives: filled(300) }), 10),
  paymentMethods: PaymentMethods,
  mailProvider: text(100),
  retention: listOf(
    v.object({
      what: filled(200),
      days: v.pipe(v.number(), v.integer(), v.minValue(0)),
      after: filled(100),
    }),
    30,
  ),
  moved: v.fallback(
    v.object({
      categories: textMap(v.string(), MOVED_LIMIT, CATEGORY_BYTES),
      products: textMap(v.string(), MOVED_LIMIT, 200),
    }),
    { categories: new Map(), products: new Map() },
  ),
});

/** GET /storeInfo. Every field is optional, but the response must be an object. */
export const StoreInfoSchema = v.pipe(
  v.unknown(),
  v.transform((answer) => ({ record: unwrap(answer), others: unwrap(answer) })),
  v.object({ record: v.pipe(v.unknown(), v.transform(readRecord)), others: OTHERS }),
  v.transform(({ record, others }): StoreInfo => ({ ...record, ...others })),
);

/** GET /storeTerms: the part of the store record that decides what may be bought. */
export const StoreTermsSchema = v.pipe(
  StoreInfoSchema,
  v.transform(
    (store): StoreTerms => ({
      ...(Object.fromEntries(STORE_TERMS.map((name) => [name, store[name]])) as Pick<
        StoreRecord,
        (typeof STORE_TERMS)[number]
      >),
      paymentMethods: store.paymentMethods ?? [],
    }),
  ),
);
