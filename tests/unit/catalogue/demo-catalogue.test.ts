import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { POLICY_SLUGS } from '#domain/policy.ts';

const folder = join(import.meta.dirname, '../../../scripts/catalogue');
const rupees = v.pipe(
  v.number(),
  v.gtValue(0),
  v.check((price) => Number(price.toFixed(2)) === price, 'at most two decimals'),
);
const text = v.pipe(v.string(), v.trim(), v.nonEmpty());
const picture = v.pipe(
  text,
  v.regex(/^[\w-]+\.webp$/, 'a bare file name'),
  v.check((name) => existsSync(join(folder, 'art', name)), 'no such picture in art/'),
);
const product = v.strictObject({
  id: v.pipe(v.string(), v.uuid()),
  title: v.pipe(text, v.maxLength(60)),
  description: v.pipe(text, v.minLength(40)),
  imgUrl: picture,
  category: text,
  parentCategory: text,
  regularPrice: rupees,
  discountedPrice: v.nullable(rupees),
  createdAt: v.pipe(v.string(), v.isoTimestamp()),
  images: v.pipe(v.array(v.strictObject({ url: picture })), v.minLength(1)),
  attributes: v.array(
    v.strictObject({
      key: text,
      values: v.pipe(v.array(text), v.minLength(1)),
      metricUnit: v.optional(text),
    }),
  ),
});
const store = v.strictObject({
  storeName: text,
  companyName: text,
  companyAddress: text,
  companyEmail: v.pipe(text, v.email()),
  companyPhone: v.pipe(text, v.startsWith('+91')),
  companyLogoUrl: picture,
  description: text,
  categories: v.array(text),
  categoryImages: v.record(text, picture),
  policies: v.record(v.picklist(POLICY_SLUGS), text),
});

const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'));
const files = readdirSync(join(folder, 'products')).sort();
const products = files.flatMap((file) => v.parse(v.array(product), read(`products/${file}`)));
const record = v.parse(store, read('store.json'));

type Product = v.InferOutput<typeof product>;
const valuesOf = (item: Product, ...keys: string[]): string[] =>
  item.attributes.filter(({ key }) => keys.includes(key.toLowerCase())).flatMap(({ values }) => values);

const count = (test: (item: Product) => boolean): number => products.filter(test).length;

describe('demo catalogue', () => {
  test('[spec 7.products.10] men, women and accessories each have a list', () => {
    const accessories = ['Accessories', 'Personal Care', 'Home'];
    expect(count((item) => valuesOf(item, 'gender').includes('Men'))).toBeGreaterThanOrEqual(6);
    expect(count((item) => valuesOf(item, 'gender').includes('Women'))).toBeGreaterThanOrEqual(6);
    expect(
      count(
        (item) =>
          (accessories.includes(item.category) || accessories.includes(item.parentCategory)) &&
          valuesOf(item, 'gender').every((gender) => gender === 'Unisex'),
      ),
    ).toBeGreaterThanOrEqual(12);
  });

  test('every category of the store has products and a picture, and every product a category of the store', () => {
    expect(new Set(products.map(({ category }) => category))).toEqual(new Set(record.categories));
    expect(Object.keys(record.categoryImages)).toEqual(record.categories);
  });

  test('the policies of the store exist and use its placeholders', () => {
    for (const file of Object.values(record.policies)) {
      expect(readFileSync(join(folder, file), 'utf8')).toContain('{{companyName}}');
    }
  });
});
