import { expect, it, test } from 'vitest';
import {
  ALL_PRODUCTS,
  featuredFirst,
  filterParams,
  type ListingQuery,
  listedProducts,
  listingHeading,
  listingSearch,
  pageCount,
  paginationItems,
  parentCategories,
  parseListingQuery,
  showingText,
} from '#domain/listing.ts';
import { filterIndexOf } from '#domain/listing-data.ts';
import type { Product } from '#domain/product.ts';
import { compareSizes, refine } from '#domain/refine.ts';
import { aProduct } from '#tests/support/samples.ts';

const query = (change: Partial<ListingQuery> = {}): ListingQuery => ({ ...ALL_PRODUCTS, ...change });

const product = (id: string, { gender, ...change }: Partial<Product> & { gender?: string } = {}): Product =>
  aProduct({
    id,
    category: 'Berries',
    parentCategory: 'Fresh Fruits',
    attributes: gender ? [{ key: 'gender', values: [gender] }] : [],
    ...change,
  });

it('the query reads category, parentCategory, featured and page', () => {
  const search = new URLSearchParams('category=tropical%20fruits&parentCategory=Home&featured=true&page=3');
  const read = { category: 'tropical fruits', parentCategory: 'Home', featured: true, page: 3 };
  expect(parseListingQuery(search)).toEqual(read);
});

it.each(['', '0', '-1', '1.5', 'x', '1e99'])('[spec 2.listing.15] the query page %j is page 1', (page) => {
  expect(parseListingQuery(new URLSearchParams({ page })).page).toBe(1);
});

it.each(['२', '٢', '২', '௨', '２', '02'])('the query page %s is page 2', (page) => {
  expect(parseListingQuery(new URLSearchParams({ page })).page).toBe(2);
});

it('the address is forgiving in case, blanks and invisible marks', () => {
  const typed =
    '?Category=+Citrus%C2%A0Fruits%E2%80%8B&PARENTCATEGORY=Food&Featured=TRUE&page=2&Color=%20Red+';
  expect(parseListingQuery(new URLSearchParams(typed))).toEqual(
    query({
      category: 'Citrus Fruits',
      parentCategory: 'Food',
      featured: true,
      page: 2,
      refined: 'color=Red',
    }),
  );
});

it('every category survives a round trip through the address', () => {
  const odd = query({ category: 'a&b/100% 🍊', parentCategory: 'दर्‍या', page: 2 });
  expect(parseListingQuery(new URLSearchParams(listingSearch(odd)))).toEqual(odd);
});

it.each([
  ['men', { gender: 'Men' }],
  ['Women', { gender: 'Women' }],
  ['accessories', { filter: 'Accessories,Personal Care,Home,null,Unisex' }],
  ['berries', { category: 'berries' }],
  ['constructor', { category: 'constructor' }],
])('[spec 7.products.3] [spec 7.products.4] the request category %s is sent as %j', (category, filters) => {
  expect(filterParams(query({ category }))).toEqual(filters);
});

it('[spec 7.products.2] the request sends no empty parameters', () => {
  expect(filterParams(query())).toEqual({});
  expect(filterParams(query({ parentCategory: 'Home' }))).toEqual({ parentCategory: 'Home' });
});

const known = ['Tropical Fruits', 'Home'];

it.each([
  [query(), 'All Products'],
  [query({ featured: true }), 'All Products'],
  [query({ category: 'men' }), "Men's Ethnic Wear"],
  [query({ category: 'women' }), "Women's Ethnic Wear"],
  [query({ category: 'tropical fruits' }), 'Tropical Fruits'],
  [query({ category: 'pickles' }), 'Pickles'],
  [query({ category: 'men', parentCategory: 'home' }), 'Home'],
])(
  '[spec 2.listing.1] [spec 2.listing.2] [spec 2.listing.3] [spec 2.listing.4] [spec 2.listing.5] the heading of %j is %s',
  (listingQuery, heading) => expect(listingHeading(listingQuery, known)).toBe(heading),
);

const catalogue = [
  product('strawberry', { featured: true }),
  product('kurta', { category: 'Kurtas', parentCategory: 'Fashion', gender: 'Men' }),
  product('saree', { category: 'Sarees', parentCategory: 'Fashion', gender: 'Women' }),
  product('soap', { category: 'Bath', parentCategory: 'Personal Care' }),
  product('wallet', { category: 'Wallets', parentCategory: 'Accessories', gender: 'Unisex' }),
  product('tie', { category: 'Ties', parentCategory: 'Accessories', gender: 'Men' }),
];

it.each([
  [query({ category: 'BERRIES' }), ['strawberry']],
  [query({ parentCategory: 'fashion' }), ['kurta', 'saree']],
  [query({ category: 'men' }), ['kurta', 'tie']],
  [query({ category: 'women' }), ['saree']],
  [query({ category: 'accessories' }), ['soap', 'wallet']],
  [query({ featured: true }), ['strawberry']],
])('[spec 2.listing.23] %j finds %j', (listingQuery, ids) => {
  expect(listedProducts(catalogue, listingQuery).map(({ id }) => id)).toEqual(ids);
});

it('lists each parent category once, in the order of the catalogue', () => {
  expect(parentCategories([...catalogue, product('x', { parentCategory: 'FASHION' })])).toEqual([
    'Fresh Fruits',
    'Fashion',
    'Personal Care',
    'Accessories',
  ]);
});

it('[spec 7.products.9] puts featured products first, among the first four only', () => {
  const five = [
    product('a'),
    product('b', { featured: true }),
    product('c'),
    product('d'),
    product('e', { featured: true }),
  ];
  expect(featuredFirst(five).map(({ id }) => id)).toEqual(['b', 'a', 'c', 'd']);
});

it.each([
  [1, 1, [1]],
  [1, 9, [1, 2, 3, 'ellipsis', 9]],
  [5, 9, [1, 'ellipsis', 3, 4, 5, 6, 7, 'ellipsis', 9]],
  [4, 7, [1, 2, 3, 4, 5, 6, 7]],
  [9, 9, [1, 'ellipsis', 7, 8, 9]],
])('[spec 2.listing.13] page %d of %d shows %j', (current, pages, items) => {
  expect(paginationItems(current, pages)).toEqual(items);
});

it('[spec 2.listing.11] counts 12 products per page, and at least one page', () => {
  expect([pageCount(0), pageCount(12), pageCount(13)]).toEqual([1, 1, 2]);
});

it.each([
  [1, 12, 43, 'Showing 1–12 of 43'],
  [4, 7, 43, 'Showing 37–43 of 43'],
  [1, 0, 0, ''],
])('page %d with %d of %d shows: %s', (page, shown, total, text) => {
  expect(showingText(page, shown, total)).toBe(text);
});

const priced = (id: string, price: number, change: Partial<Product> = {}): Product =>
  aProduct({ id, name: id, price, ...change });

const NOW = Date.parse('2026-01-05');
const products = [
  priced('tee', 499.5, { sizes: ['S', 'M'], colors: ['Red'], createdAt: '2026-01-02T10:00:00.000Z' }),
  priced('mango', 899, { originalPrice: 1099, createdAt: '2025-08-04T10:42:00.000Z' }),
  priced('free', 0, { createdAt: 'garbage' }),
  priced('cap', 200, {
    originalPrice: 400,
    sizes: ['M'],
    colors: ['Blue'],
    buying: { availability: 'sold_out' },
  }),
  priced('odd', 300, { originalPrice: 300, sizes: ['__proto__'] }),
];
const filterIndex = filterIndexOf(products, (each) => products.indexOf(each), NOW);
const ids = (query: string, within?: ReadonlySet<number>) =>
  refine(filterIndex, new URLSearchParams(query), within).map((row) => products[row]?.id);

test.each([
  ['', ['tee', 'mango', 'free', 'cap', 'odd']],
  ['sort=nonsense', ['tee', 'mango', 'free', 'cap', 'odd']],
  ['sort=price-asc', ['cap', 'odd', 'tee', 'mango', 'free']],
  ['sort=price-desc', ['mango', 'tee', 'odd', 'cap', 'free']],
  ['sort=newest', ['tee', 'mango', 'free', 'cap', 'odd']],
  ['sort=discount', ['cap', 'mango', 'tee', 'free', 'odd']],
  ['min=300&max=500', ['tee', 'odd']],
  ['max=499.49', ['cap', 'odd']],
  ['min=abc&max=-1', ['tee', 'mango', 'free', 'cap', 'odd']],
  ['size=M', ['tee', 'cap']],
  ['size=S&size=M&color=Blue', ['cap']],
  ['stock=true', ['tee', 'mango', 'odd']],
  ['size=XXL', []],
  ['size=__proto__', ['odd']],
  ['size=constructor', []],
  ['sale=true&sort=price-desc', ['mango', 'cap']],
  ['min=₹500&max=300/-', ['tee', 'odd']],
  ['max=1,000&min=Rs.+५००', ['mango']],
  ['size=m&color=%20red%E2%80%8B', ['tee']],
  ['color=red,blue', ['tee', 'cap']],
  ['size=L, m&color=Blue;x', ['cap']],
  ['size=,', ['tee', 'mango', 'free', 'cap', 'odd']],
  ['sale=TRUE&sort=Price-Desc', ['mango', 'cap']],
])('%s', (query, expected) => expect(ids(query)).toEqual(expected));

test('another filter limits the results to its places', () => {
  expect(ids('sort=price-asc', new Set([0, 1]))).toEqual(['tee', 'mango']);
});

test('sizes are sorted naturally', () => {
  const sizes = ['One Size', 'UK 10', 'M', '30', 'XL', 'UK 9', 'S', 'XXL', '28'];
  expect(sizes.sort(compareSizes).join()).toBe('S,M,XL,XXL,28,30,UK 9,UK 10,One Size');
});
