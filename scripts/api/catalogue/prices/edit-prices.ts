import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { type CatalogueProduct, ProductIdSchema } from '#scripts/api/catalogue/schema.ts';
import {
  replaceProduct,
  type StoredProduct,
  sellingPrice,
  storedProduct,
  storedProducts,
} from '#scripts/api/catalogue/stored-products.ts';
import type { Reader, Transaction } from '#scripts/api/db/database.ts';
import { check, type FieldErrors, refused } from '#scripts/api/office/edit.ts';
import { lockCatalogue, markCatalogueChanged } from '#scripts/api/shop/catalogue-version.ts';
import { momentSchema, PriceSchema } from '#scripts/api/shop/wire.ts';

const PriceRowsSchema = v.pipe(
  v.array(
    v.strictObject({
      id: ProductIdSchema,
      regularPrice: PriceSchema,
      discountedPrice: v.nullable(PriceSchema),
      /** null: the sale has no such moment. Left out: it stays as it is stored. */
      saleFrom: v.optional(v.nullable(momentSchema())),
      saleUntil: v.optional(v.nullable(momentSchema())),
    }),
  ),
  v.maxLength(20_000, 'are too many rows'),
);

/** A row as a file has it. */
export type SentRow = v.InferOutput<typeof PriceRowsSchema>[number];

/** The prices of a product, complete. */
export type PriceRow = Pick<
  CatalogueProduct,
  'id' | 'regularPrice' | 'discountedPrice' | 'saleFrom' | 'saleUntil'
>;

export interface PriceChange {
  readonly before: StoredProduct;
  readonly row: PriceRow;
  /** By how much the price that customers pay goes up, or down below 0: 0.3 is 30 %. Infinity where it was 0. */
  readonly by: number;
}

export type PriceChanges =
  /** Rows that change nothing are left out. */
  | { readonly status: 'valid'; readonly changes: readonly PriceChange[] }
  /** Errors by row and field, such as `3.regularPrice`. */
  | { readonly status: 'refused'; readonly errors: FieldErrors };

/** A row with the moments that it leaves as they are. Without a sale price there is no sale that begins or ends. */
function completeRow(before: CatalogueProduct, { saleFrom, saleUntil, ...row }: SentRow): PriceRow {
  if (row.discountedPrice === null) return row;
  const moments = {
    saleFrom: saleFrom === undefined ? before.saleFrom : saleFrom,
    saleUntil: saleUntil === undefined ? before.saleUntil : saleUntil,
  };
  const given = Object.entries(moments).filter(([, moment]) => moment);
  return { ...row, ...Object.fromEntries(given) };
}

/** The prices of a product, with their moments where there are any. */
export const pricesOf = ({ regularPrice, discountedPrice, saleFrom, saleUntil }: Omit<PriceRow, 'id'>) => ({
  regularPrice,
  discountedPrice,
  ...(saleFrom === undefined ? {} : { saleFrom }),
  ...(saleUntil === undefined ? {} : { saleUntil }),
});

function changeOf(before: StoredProduct, row: PriceRow): PriceChange[] {
  if (isDeepStrictEqual(pricesOf(row), pricesOf(before.product))) return [];
  const [from, to] = [sellingPrice(before.product), sellingPrice(row)];
  return [{ before, row, by: to === from ? 0 : (to - from) / from }];
}

/** For more rows, reading every product at once is quicker than asking a database on another machine for each. */
const MOST_SINGLY = 100;

async function storedById(db: Reader, rows: readonly SentRow[]): Promise<Map<string, StoredProduct>> {
  const found: StoredProduct[] = [];
  if (rows.length > MOST_SINGLY) found.push(...(await storedProducts(db)));
  else {
    for (const { id } of rows) {
      const stored = await storedProduct(db, id);
      if (stored) found.push(stored);
    }
  }
  return new Map(found.map((stored) => [stored.product.id, stored]));
}

/** What prices of many products would change. @param input a list of PriceRow, unchecked */
export async function priceChanges(db: Reader, input: unknown): Promise<PriceChanges> {
  const checked = check(PriceRowsSchema, input);
  if (checked.status === 'refused') return checked;
  const errors = new Map<string, string>();
  const changes: PriceChange[] = [];
  const seen = new Set<string>();
  const stored = await storedById(db, checked.value);
  for (const [index, row] of checked.value.entries()) {
    const before = stored.get(row.id);
    if (seen.has(row.id)) errors.set(`${index}.id`, 'is in the list twice');
    else if (!before) errors.set(`${index}.id`, 'is the id of no product');
    else changes.push(...changeOf(before, completeRow(before.product, row)));
    seen.add(row.id);
  }
  return errors.size === 0 ? { status: 'valid', changes } : refused(Object.fromEntries(errors));
}

/** Sets the prices of many products, or none if a row is wrong. Returns what was changed. */
export async function setPrices(transaction: Transaction, input: unknown): Promise<PriceChanges> {
  await lockCatalogue(transaction);
  const result = await priceChanges(transaction, input);
  if (result.status === 'refused' || result.changes.length === 0) return result;
  for (const { before, row } of result.changes) {
    const { saleFrom: _from, saleUntil: _until, ...product } = before.product;
    await replaceProduct(transaction, { ...product, ...pricesOf(row) });
  }
  await markCatalogueChanged(transaction);
  return result;
}
