import type { ReactNode } from 'react';
import { searchText } from '#domain/fold-text.ts';
import { formatRupees } from '#domain/money.ts';
import { type PlannedPrices, salePhase } from '#domain/sale.ts';
import { FormField } from '#server/admin/forms/Form.tsx';
import type { Fields } from '#server/admin/forms/field.ts';
import type { AdminContext } from '#server/admin/page.ts';
import { CATALOGUE } from '#server/admin/paths.ts';
import { Button, Time } from '#server/admin/views/pieces.tsx';
import { catalogueVersion } from '#server/db/catalogue-version.ts';
import type { Database, Reader } from '#server/db/database.ts';
import { type StoredProduct, storedProducts } from './stored-products.ts';

const lists = new WeakMap<Reader, { version: string | undefined; products: readonly StoredProduct[] }>();

/** Returns every product in the order of the shop, cached until the catalogue changes. */
export async function productList(db: Database): Promise<readonly StoredProduct[]> {
  while (true) {
    const version = await catalogueVersion(db);
    const list = lists.get(db);
    if (list && list.version === version) return list.products;
    // If the catalogue changes while it is read, the loop reads it again.
    lists.set(db, { version, products: await storedProducts(db) });
  }
}

export interface ProductFilter {
  readonly q: string;
  readonly category: string;
  /** A value of `STATUS_OPTIONS`, or '' for all. */
  readonly status: string;
}

const STATUS_OPTIONS = [
  { value: '', label: 'All products' },
  { value: 'sold', label: 'Sold' },
  { value: 'discontinued', label: 'Discontinued' },
  { value: 'planned', label: 'Sale planned' },
  { value: 'now', label: 'On sale now' },
  { value: 'over', label: 'Sale over' },
  { value: 'low', label: 'Few are left' },
];

export const readFilter = ({ req }: AdminContext): ProductFilter => {
  const { q = '', category = '', status = '' } = req.query();
  return { q, category, status };
};

/**
 * Returns the products with every word of `q` in their title, id or categories.
 * @param now ms since 1970
 * @param low the ids of products of which few are left
 */
export function filterStored(
  products: readonly StoredProduct[],
  { q, category, status }: ProductFilter,
  now: number,
  low: ReadonlySet<string> = new Set(),
): readonly StoredProduct[] {
  const words = searchText(q).split(/\s+/).filter(Boolean);
  return products.filter(({ product, isDiscontinued }) => {
    const text = searchText([product.title, product.id, product.category, product.parentCategory].join('\n'));
    return (
      words.every((word) => text.includes(word)) &&
      (category === '' || product.category === category) &&
      [
        '',
        isDiscontinued ? 'discontinued' : 'sold',
        !isDiscontinued && salePhase(product, now),
        low.has(product.id) && 'low',
      ].includes(status)
    );
  });
}

export const filterQuery = (filter: ProductFilter, page = 1): string => {
  const values = Object.entries({ ...filter, page: page === 1 ? '' : String(page) });
  const query = new URLSearchParams(values.filter(([, value]) => value !== ''));
  return query.size === 0 ? '' : `?${query}`;
};

export function renderFilter(filter: ProductFilter, products: readonly StoredProduct[]): ReactNode {
  const names = categoryNames(products, 'category').sort();
  const options = [
    { value: '', label: 'Every category' },
    ...[...new Set([...names, filter.category])].filter(Boolean).map((value) => ({ value, label: value })),
  ];
  const fields: Fields = {
    q: { label: 'Search', control: 'search' },
    category: { label: 'Category', control: 'select', options },
    status: { label: 'Show', control: 'select', options: STATUS_OPTIONS },
  };
  return (
    <form
      className="my-5 flex flex-wrap items-end gap-3 *:[div]:grow *:[div]:basis-40 *:[div]:first:basis-60"
      method="get"
      action={CATALOGUE}
      role="search"
    >
      {Object.entries(fields).map(([name, field]) => (
        <FormField key={name} name={name} field={field} values={{ ...filter }} />
      ))}
      <Button variant="quiet">Search</Button>
      {filterQuery(filter) !== '' && <a href={CATALOGUE}>Show all</a>}
    </form>
  );
}

interface PricesProps {
  readonly prices: PlannedPrices;
  readonly now: number;
}

/** The price that customers pay now, and until when. A sale that is planned follows; one that is over is not shown. */
export function Prices({ prices, now }: PricesProps): ReactNode {
  const { regularPrice, discountedPrice, saleFrom, saleUntil } = prices;
  const phase = salePhase(prices, now);
  const isNow = phase === 'now';
  const [regular, reduced] = [formatRupees(regularPrice), formatRupees(discountedPrice ?? 0)];
  const time = (word: string, moment: string | undefined): ReactNode =>
    moment && (
      <>
        {' '}
        {word} <Time at={Date.parse(moment)} />
      </>
    );
  return (
    <span>
      {isNow ? `${reduced} ` : regular}
      {isNow && (
        <s className="text-caption text-ink2">
          <span className="sr-only">Regular price </span>
          {regular}
        </s>
      )}
      {(isNow || phase === 'planned') && (
        <span className="text-caption text-ink2">
          {!isNow && `, then ${reduced}`}
          {!isNow && time('from', saleFrom)}
          {time('until', saleUntil)}
        </span>
      )}
    </span>
  );
}

/** The limit for suggestions, so that pages stay small. */
const MAX_SUGGESTIONS = 60;

/** Returns the category names in use, those with most products first. */
export const categoryNames = (
  products: readonly StoredProduct[],
  name: 'category' | 'parentCategory',
): string[] =>
  [...Map.groupBy(products, ({ product }) => product[name])]
    .sort(([, one], [, other]) => other.length - one.length)
    .slice(0, MAX_SUGGESTIONS)
    .map(([value]) => value);
