import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ALL_PRODUCTS, type ListingQuery } from '#domain/listing.ts';
import {
  LISTING_DATA_LIMIT,
  listingDataFiles,
  listingDataPage,
  listingDataSlug,
  readListingDataIndex,
  writeListingDataIndex,
} from '#domain/listing-data.ts';
import { aProduct } from '#tests/support/samples.ts';

const query = (change: Partial<ListingQuery>) => ({ ...ALL_PRODUCTS, ...change });

test('a slug is a file name for one filter', () => {
  expect(listingDataSlug(ALL_PRODUCTS)).toBe('all');
  expect(listingDataSlug(query({ featured: true }))).toBe('featured');
  expect(listingDataSlug(query({ category: 'Bath & Body' }))).toBe('category-bath-w--12--w-body');
  expect(listingDataSlug(query({ category: 'a', parentCategory: 'b' }))).toBeUndefined();
  expect(listingDataSlug(query({ category: 'x'.repeat(500) }))).toBeUndefined();
});

test('every slug is a different file on every host', () => {
  const names = fc.oneof(
    fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) }),
    fc.string(),
    fc.constantFrom('../x', 'a/b', '%2e', 'A1'),
  );
  fc.assert(
    fc.property(names, names, (left, right) => {
      const [one, other] = [left, right].map((category) => listingDataSlug(query({ category })));
      for (const slug of [one, other]) if (slug) expect(slug).toMatch(/^[a-z0-9-]+$/);
      if (one && other) expect(one === other).toBe(left.toLowerCase() === right.toLowerCase());
    }),
  );
});

const berries = aProduct({ id: 'b', category: 'Berries', parentCategory: 'Fruit', featured: true });
const shirt = aProduct({
  id: 's',
  category: 'Wear',
  parentCategory: 'Fashion',
  attributes: [{ key: 'gender', values: ['Men'] }],
});
const catalogue = [...Array.from({ length: 13 }, (_, index) => ({ ...berries, id: `b${index}` })), shirt];

test('the files contain the products that the API would return', () => {
  const files = listingDataFiles(catalogue, ['berries', 'Empty']);
  const found = Object.fromEntries(files.map(({ slug, products }) => [slug, products.length]));
  expect(found).toEqual({
    all: 14,
    featured: 13,
    'parent-fruit': 13,
    'parent-fashion': 1,
    'category-berries': 13,
    'category-empty': 0,
    'category-men': 1,
    'category-women': 0,
    'category-accessories': 0,
    'category-wear': 1,
  });
  expect(Object.fromEntries(readListingDataIndex(writeListingDataIndex(files)))).toMatchObject({
    all: ['All Products', 2],
    'parent-fruit': ['Fruit', 2],
    'category-empty': ['Empty', 1],
    'category-men': ["Men's Ethnic Wear", 1],
  });
  const [all] = files;
  expect(all && listingDataPage(all, 2).map(({ id }) => id)).toEqual(['b12', 's']);
});

test('with a hundred parent categories, the store’s own categories still have files and their spelling', () => {
  const many = Array.from({ length: 150 }, (_, index) =>
    aProduct({ id: `${index}`, parentCategory: `Parent ${index}` }),
  );
  const known = readListingDataIndex(writeListingDataIndex(listingDataFiles(many, ['Bath & Body'])));
  expect(known.get('category-bath-w--12--w-body')).toEqual(['Bath & Body', 1]);
});

test('the number of files is limited', () => {
  const many = Array.from({ length: 5_000 }, (_, index) =>
    aProduct({ id: `${index}`, category: `c${index}` }),
  );
  expect(listingDataFiles(many, [])).toHaveLength(LISTING_DATA_LIMIT);
});
