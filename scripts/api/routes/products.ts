import type { Context } from 'hono';
import type { Facets } from '#scripts/api/catalogue/snapshot.ts';
import { notModified } from '#scripts/api/http/conditional.ts';
import { Refusal } from '#scripts/api/http/refusal.ts';
import type { Env, Shop } from '#scripts/api/shop.ts';

const PAGE_SIZE = 12;
const PAGE_SIZE_MOST = 100;
const PAGE_MOST = 1_000_000;

/** A whole number between 1 and `most`; what is no number is the fallback (faults 93). */
function whole(text: string | undefined, fallback: number, most: number): number {
  const number = Number(text ?? Number.NaN);
  return Number.isNaN(number) || text?.trim() === ''
    ? fallback
    : Math.min(Math.max(Math.floor(number), 1), most);
}

type Test = (facets: Facets) => boolean;

/**
 * `Accessories,Personal Care,Home,null,Unisex`: in one of the named categories, and for one of the named genders, or
 * for nobody in particular where 'null' is named (resolutions 12).
 */
function inFilter(value: string): Test {
  const names = new Set(value.split(',').map((name) => name.trim()));
  return ({ category, parentCategory, genders }) =>
    (names.has(category) || names.has(parentCategory)) &&
    (genders.length === 0 ? names.has('null') : genders.some((gender) => names.has(gender)));
}

/** Each wire filter and what it lets through; values are compared in lower case. */
const FILTERS: Readonly<Record<string, (value: string) => Test>> = {
  category: (value) => (facets) => facets.category === value,
  parentCategory: (value) => (facets) => facets.parentCategory === value,
  gender: (value) => (facets) => facets.genders.includes(value),
  filter: inFilter,
};

/** GET /products (spec 7) */
export function listProducts(context: Context<Env>, shop: Shop): Response {
  const snapshot = shop.catalogue();
  const unchanged = notModified(context, snapshot.etag);
  if (unchanged) return unchanged;

  const page = whole(context.req.query('page'), 1, PAGE_MOST);
  const limit = whole(context.req.query('limit'), PAGE_SIZE, PAGE_SIZE_MOST);
  const asked = Object.keys(FILTERS).map(
    (name) => [name, context.req.query(name)?.trim().toLowerCase()] as const,
  );
  const tests = asked.flatMap(([name, value]) => (value ? (FILTERS[name]?.(value) ?? []) : []));
  const found = snapshot.list(
    JSON.stringify(asked),
    (facets) => tests.every((test) => test(facets)),
    (page - 1) * limit,
    limit,
  );
  const pagination = { page, limit, total: found.total, totalPages: Math.ceil(found.total / limit) };
  const body = `{"data":[${found.page.join(',')}],"pagination":${JSON.stringify(pagination)},"count":${found.total}}`;
  return context.body(body, 200, { 'Content-Type': 'application/json' });
}

/** GET /products/{id} (spec 7) */
export function showProduct(context: Context<Env>, shop: Shop): Response {
  const snapshot = shop.catalogue();
  const product = snapshot.product(context.req.param('id') ?? '');
  if (product === undefined) throw new Refusal(404, 'Product not found');
  return (
    notModified(context, snapshot.etag) ??
    context.body(`{"data":${product}}`, 200, { 'Content-Type': 'application/json' })
  );
}

/** GET /storeInfo (spec 7) */
export function showStoreInfo(context: Context<Env>, shop: Shop): Response {
  const { etag, storeInfo } = shop.catalogue();
  return notModified(context, etag) ?? context.body(storeInfo, 200, { 'Content-Type': 'application/json' });
}
