import * as v from 'valibot';
import type { Reader } from '#scripts/api/db/database.ts';
import { StoreInfoSchema, type WireStoreInfo } from '#scripts/api/store/schema.ts';
import type { Parts } from './merge.ts';
import type { CatalogueContent } from './read.ts';

/** A catalogue in the parts that are merged. */
export interface CatalogueParts {
  readonly parts: Parts;
  /** The ids of its products, in the order of the shop. */
  readonly order: readonly string[];
}

export const productPart = (id: string): string => `products/${id}`;

export const picturePart = (name: string): string => `art/${name}`;

const STORE = 'store.json/';

const IMAGES = `${STORE}categoryImages/`;

const POLICIES = 'policies/';

/** The parts of the store record: each field, category's picture and policy by itself. */
function storeParts({ categoryImages, policies, ...record }: WireStoreInfo): [string, string][] {
  const groups = [
    [STORE, record],
    [IMAGES, categoryImages],
    [POLICIES, policies],
  ] as const;
  return groups.flatMap(([prefix, values]) =>
    Object.entries(values).map(([name, value]): [string, string] => [prefix + name, JSON.stringify(value)]),
  );
}

/** Puts the store record together again. */
export function storeOf(parts: Parts): WireStoreInfo {
  const record = new Map<string, unknown>();
  const categoryImages = new Map<string, unknown>();
  const policies = new Map<string, unknown>();
  for (const [name, text] of parts) {
    const value: unknown = name.startsWith(STORE) || name.startsWith(POLICIES) ? JSON.parse(text) : undefined;
    if (name.startsWith(IMAGES)) categoryImages.set(name.slice(IMAGES.length), value);
    else if (name.startsWith(STORE)) record.set(name.slice(STORE.length), value);
    else if (name.startsWith(POLICIES)) policies.set(name.slice(POLICIES.length), value);
  }
  return v.parse(StoreInfoSchema, {
    ...Object.fromEntries(record),
    categoryImages: Object.fromEntries(categoryImages),
    policies: Object.fromEntries(policies),
  });
}

export const folderParts = ({ products, storeInfo, pictures }: CatalogueContent): CatalogueParts => ({
  parts: new Map([
    ...products.map((product) => [productPart(product.id), JSON.stringify(product)] as const),
    ...storeParts(storeInfo),
    ...pictures.map(({ name, etag }) => [picturePart(name), etag] as const),
  ]),
  order: products.map(({ id }) => id),
});

const ProductRowSchema = v.object({ id: v.string(), wire: v.string() });

const PictureRowSchema = v.object({ name: v.string(), etag: v.string() });

const StoreRowSchema = v.object({ value: v.pipe(v.string(), v.parseJson(), StoreInfoSchema) });

async function readParts(
  db: Reader,
  sql: Readonly<Record<'products' | 'pictures' | 'store', string>>,
): Promise<CatalogueParts> {
  const products = await db.all(ProductRowSchema, sql.products);
  const pictures = await db.all(PictureRowSchema, sql.pictures);
  const store = await db.get(StoreRowSchema, sql.store);
  return {
    parts: new Map([
      ...products.map(({ id, wire }) => [productPart(id), wire] as const),
      ...(store ? storeParts(store.value) : []),
      ...pictures.map(({ name, etag }) => [picturePart(name), etag] as const),
    ]),
    order: products.map(({ id }) => id),
  };
}

/** What is on sale. */
export const databaseParts = (db: Reader): Promise<CatalogueParts> =>
  readParts(db, {
    products: 'SELECT id, wire FROM products WHERE gone = 0 ORDER BY position, id',
    pictures: 'SELECT name, etag FROM pictures ORDER BY name',
    store: "SELECT value FROM meta WHERE name = 'store_info'",
  });

/** What the folder held when it was last imported. */
export const importedParts = (db: Reader): Promise<CatalogueParts> =>
  readParts(db, {
    products: 'SELECT id, wire FROM imported_products ORDER BY position',
    pictures: 'SELECT name, etag FROM imported_pictures ORDER BY name',
    store: "SELECT value FROM meta WHERE name = 'store_imported'",
  });
