import * as v from 'valibot';
import { isPrice } from '#domain/money.ts';
import { type LeafField, recordFrom, type StoreRecord, valueAt } from '#domain/store-fields.ts';
import type { StoreInfo } from '#domain/store-info.ts';
import { safeImage } from '#domain/url.ts';
import { filled, line, listOf, text, textMap, unwrap } from './lenient.ts';

const CATEGORY_LIMIT = 200;
const CATEGORY_BYTES = 1_500;
const MOVED_LIMIT = 500;
const POLICY_LIMIT = 20;
const POLICY_LENGTH = 200_000;

/** Reads each kind of value leniently: an invalid one counts as missing. */
function readValue(field: LeafField, value: unknown): unknown {
  switch (field.kind) {
    case 'text':
      return v.parse(text(field.max), value);
    case 'picture':
      return safeImage(value);
    case 'money':
      return isPrice(value) ? value : null;
    case 'whole':
      return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= field.max ? value : null;
    case 'digits':
      return v.parse(listOf(filled(field.maxLength), field.max), value);
  }
}

/** The cast is needed: TypeScript cannot see that `readValue` returns the value that fits the field's kind. */
const readRecord = (record: unknown): StoreRecord =>
  recordFrom(({ name, field }) => readValue(field, valueAt(record, name))) as StoreRecord;

const OTHERS = v.object({
  categories: listOf(v.pipe(v.string(), line(CATEGORY_BYTES), v.minLength(1)), CATEGORY_LIMIT),
  categoryImages: v.pipe(
    textMap(v.string(), CATEGORY_LIMIT, 2_048),
    v.transform((images) => new Map([...images].map(([name, url]) => [name, safeImage(url)]))),
  ),
  policies: textMap(v.string(), POLICY_LIMIT, POLICY_LENGTH),
  paymentProviders: listOf(v.object({ name: filled(100), receives: filled(300) }), 10),
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
