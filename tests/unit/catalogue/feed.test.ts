import fc from 'fast-check';
import { expect, test } from 'vitest';
import { feedXml } from '#catalogue/feed.ts';
import { FREE_DELIVERY } from '#domain/delivery.ts';
import type { Product } from '#domain/product.ts';
import { aProduct } from '#tests/support/samples.ts';

const product = (change: Partial<Product>): Product =>
  aProduct({
    id: 'p1',
    name: 'Mango',
    price: 899,
    image: 'https://api.example/mango.webp',
    images: ['https://api.example/mango.webp', 'https://api.example/two.webp'],
    category: 'Tropical',
    parentCategory: 'Fruit',
    ...change,
  });

const feed = (...products: Product[]) =>
  feedXml(products, {
    name: 'Shop & Sons',
    description: '',
    home: 'https://shop.example/',
    delivery: FREE_DELIVERY,
    pageOf: ({ id }) => `https://shop.example/product/${id}`,
  });

test('a product has the page’s price, and the regular price if it is on sale', () => {
  expect(feed(product({}))).toContain('<g:price>899.00 INR</g:price><g:availability>');
  expect(feed(product({ originalPrice: 1099.5 }))).toContain(
    '<g:price>1099.50 INR</g:price><g:sale_price>899.00 INR</g:sale_price>',
  );
  expect(feed(product({ originalPrice: 899 }))).not.toContain('sale_price');
});

test('products without a price are left out', () => {
  expect(feed(product({ price: 0 }))).not.toContain('<item>');
});

test('an item has the page, the pictures and the product type', () => {
  const xml = feed(product({}));
  for (const part of [
    '<link>https://shop.example/product/p1</link>',
    '<g:image_link>https://api.example/mango.webp</g:image_link>',
    '<g:additional_image_link>https://api.example/two.webp</g:additional_image_link>',
    '<g:product_type>Fruit &#62; Tropical</g:product_type>',
    '<title>Shop &#38; Sons</title>',
  ]) {
    expect(xml).toContain(part);
  }
});

test('a sale that ends says its time in UTC', () => {
  const sale = {
    originalPrice: 1099,
    saleUntil: '2026-11-30T23:59+05:30',
    createdAt: '2026-11-01T00:00:00Z',
  };
  const period = '<g:sale_price_effective_date>2026-11-01T00:00Z/2026-11-30T18:29Z<';
  expect(feed(product(sale))).toContain(period);
  expect(feed(product({ ...sale, saleFrom: '2026-11-12T10:00+05:30' }))).toContain('>2026-11-12T04:30Z/');
  expect(feed(product({ ...sale, saleUntil: undefined }))).not.toContain('effective_date');
  expect(feed(product({ ...sale, originalPrice: undefined }))).not.toContain('effective_date');
});

test('a long id is shortened, differently for each product', () => {
  const id = 'cotton-kurta-with-hand-block-print-and-wooden-buttons-in-indigo';
  const ids = [id, `${id}-2`].map((each) => /<g:id>(.*?)</.exec(feed(product({ id: each })))?.[1]);
  expect(ids.map((each) => each?.length)).toEqual([50, 50]);
  expect(new Set(ids).size).toBe(2);
  expect(feed(product({ id: id.slice(0, 50) }))).toContain(`<g:id>${id.slice(0, 50)}<`);
});

test.each([
  ['nothing', {}, '<g:brand>Shop &#38; Sons</g:brand><g:identifier_exists>no</g:identifier_exists>'],
  ['the shop’s own brand', { Brand: 'shop & sons' }, 'sons</g:brand><g:identifier_exists>no<'],
  ['another brand alone', { Brand: 'Philips' }, '<g:brand>Philips</g:brand><g:product_type>'],
  [
    'brand and number',
    { Brand: 'Philips', EAN: "'8 901234-567890" },
    '<g:brand>Philips</g:brand><g:gtin>8901234567890</g:gtin><g:product_type>',
  ],
  [
    'a number alone',
    { GTIN: '8901234567890' },
    '</g:condition><g:gtin>8901234567890</g:gtin><g:product_type>',
  ],
  ['a wrong number', { GTIN: '8901234567894' }, '<g:identifier_exists>no<'],
  ['a number of the shop itself', { Barcode: '2000000000008' }, '<g:identifier_exists>no<'],
  [
    'a part number',
    { Brand: 'Philips', MPN: 'HR-7' },
    '<g:brand>Philips</g:brand><g:mpn>HR-7</g:mpn><g:product_type>',
  ],
])('a product with %s says so', (_what, given, expected) => {
  const attributes = Object.entries(given).map(([key, value]) => ({ key, values: [value] }));
  expect(feed(product({ attributes }))).toContain(expected);
});

/** Any UTF-16 unit. The strings of fast-check take seconds. */
const unit = fc.nat(0xffff).map((code) => String.fromCharCode(code));

test('texts of a product are escaped', () => {
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      const xml = feed(product({ name: `<b>${text}`, description: `]]>&${text}` }));
      expect(xml.match(/<title>/g)).toHaveLength(2);
      expect(xml).not.toContain('<b>');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these may not be in it
      expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/);
    }),
  );
});
