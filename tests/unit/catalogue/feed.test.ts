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
