import * as v from 'valibot';
import type { Database, Reader } from '#scripts/api/db/database.ts';
import { catalogueVersion } from '#scripts/api/shop/catalogue-version.ts';
import { ProductSchema } from './schema.ts';

/** What the staff's lists show of a product. Its picture is a file name or an address at another host. */
export interface ListedProduct {
  readonly id: string;
  readonly title: string;
  readonly category: string;
  readonly parentCategory: string;
  readonly picture: string;
  readonly regularPrice: number;
  readonly discountedPrice: number | null;
  readonly saleFrom?: string | undefined;
  readonly saleUntil?: string | undefined;
  readonly isOnSale: boolean;
  /** What a search looks at, folded by `foldText`. */
  readonly searchText: string;
}

/** Lower case without accents. */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase();

const RowSchema = v.pipe(
  v.object({ wire: v.pipe(v.string(), v.parseJson(), ProductSchema), gone: v.number() }),
  v.transform(({ wire, gone }): ListedProduct => {
    const { id, title, category, parentCategory, imgUrl, regularPrice, discountedPrice } = wire;
    const { saleFrom, saleUntil } = wire;
    return {
      id,
      title,
      category,
      parentCategory,
      picture: imgUrl,
      regularPrice,
      discountedPrice,
      saleFrom,
      saleUntil,
      isOnSale: gone === 0,
      searchText: foldText([title, id, category, parentCategory].join('\n')),
    };
  }),
);

interface List {
  readonly version: string | undefined;
  readonly products: readonly ListedProduct[];
}

const lists = new WeakMap<Reader, List>();

/** Every product, in the order of the shop. The list is read again when the catalogue has changed. */
export async function productList(db: Database): Promise<readonly ListedProduct[]> {
  while (true) {
    const version = await catalogueVersion(db);
    const list = lists.get(db);
    if (list && list.version === version) return list.products;
    // If the catalogue changes while it is read, the loop reads it again.
    lists.set(db, {
      version,
      products: await db.all(RowSchema, 'SELECT wire, gone FROM products ORDER BY position, id'),
    });
  }
}
