import { html } from 'hono/html';
import * as v from 'valibot';
import { renderField } from '#server/admin/forms/render.ts';
import type { AdminContext } from '#server/admin/page.ts';
import type { Html } from '#server/admin/views/html.ts';
import type { Database, Reader } from '#server/db/database.ts';
import { catalogueVersion } from '#server/services/catalogue-version.ts';
import { type CatalogueProduct, ProductSchema } from './schema.ts';

/** What the staff's lists show of a product: all but what is long. Its picture is a file name or an address at another host. */
export interface ListedProduct
  extends Omit<CatalogueProduct, 'description' | 'images' | 'attributes' | 'createdAt'> {
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
  v.object({ dto: v.pipe(v.string(), v.parseJson(), ProductSchema), discontinued: v.number() }),
  v.transform(({ dto, discontinued }): ListedProduct => {
    const { description: _text, images: _images, attributes: _attributes, createdAt: _at, ...listed } = dto;
    const { title, id, category, parentCategory } = listed;
    const searchText = foldText([title, id, category, parentCategory].join('\n'));
    return { ...listed, isOnSale: discontinued === 0, searchText };
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
      products: await db.all(RowSchema, 'SELECT dto, discontinued FROM products ORDER BY position, id'),
    });
  }
}

export interface ProductFilter {
  readonly q: string;
  readonly category: string;
  /** 'on' for those on sale, 'out' for those that are not, '' for all. */
  readonly sale: string;
}

const SALE_OPTIONS = [
  { value: '', label: 'All products' },
  { value: 'on', label: 'On sale' },
  { value: 'out', label: 'Out of sale' },
];

export const readFilter = ({ req }: AdminContext): ProductFilter => {
  const { q = '', category = '', sale = '' } = req.query();
  return { q, category, sale };
};

/** The products that have every word of `q` in their title, id or categories. */
export function filterProducts(
  products: readonly ListedProduct[],
  { q, category, sale }: ProductFilter,
): readonly ListedProduct[] {
  const words = foldText(q).split(/\s+/).filter(Boolean);
  return products.filter(
    (product) =>
      words.every((word) => product.searchText.includes(word)) &&
      (category === '' || product.category === category) &&
      (sale === '' || product.isOnSale === (sale === 'on')),
  );
}

/** A filter as the query of an address. */
export const filterQuery = (filter: ProductFilter, page = 1): string => {
  const values = Object.entries({ ...filter, page: page === 1 ? '' : String(page) });
  const query = new URLSearchParams(values.filter(([, value]) => value !== ''));
  return query.size === 0 ? '' : `?${query}`;
};

export function renderFilter(
  action: string,
  filter: ProductFilter,
  products: readonly ListedProduct[],
): Html {
  const names = categoryNames(products, 'category').sort();
  const options = [
    { value: '', label: 'Every category' },
    ...[...new Set([...names, filter.category])].filter(Boolean).map((value) => ({ value, label: value })),
  ];
  const typed = { ...filter };
  return html`<form class="row filter" method="get" action="${action}" role="search">
${renderField('q', { label: 'Search', control: 'search' }, typed)}
${renderField('category', { label: 'Category', control: 'select', options }, typed)}
${renderField('sale', { label: 'Show', control: 'select', options: SALE_OPTIONS }, typed)}
<button class="quiet">Search</button>${filterQuery(filter) === '' ? '' : html`<a href="${action}">Show all</a>`}</form>`;
}

/** So many names fit into a page that is still small. */
const MOST = 60;

type Name = 'category' | 'parentCategory';

/** The names that products have already, those with the most products first. */
export function categoryNames(products: readonly ListedProduct[], name: Name): string[] {
  const counts = new Map<string, number>();
  for (const product of products) counts.set(product[name], (counts.get(product[name]) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST)
    .map(([value]) => value);
}
