// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { paginationMarkup } from '#components/listing/pagination.ts';
import { element, html, type Make } from '#components/markup.ts';
import { cardMarkup } from '#components/product/card.ts';
import { galleryMarkup } from '#components/product/gallery.ts';
import { type Card, toCard } from '#domain/card.ts';
import { ALL_PRODUCTS } from '#domain/listing.ts';
import { plainPicture } from '#domain/picture.ts';
import { aProduct } from '#tests/support/samples.ts';

const HOSTILE = `"><img src=x onerror='alert(1)'> &amp; <b>`;
const picture = plainPicture('https://shop.example/a.jpg?b=1&c="2"');
const card = (change: Partial<Card> = {}): Card => ({
  ...toCard(aProduct({ name: HOSTILE }), picture),
  ...change,
});
const gallery = { name: HOSTILE, tint: 'tint-1', pictures: [picture, picture], onSale: true };

test.each<[string, <Node>(make: Make<Node>) => Node]>([
  ['a card', (make) => cardMarkup(make, card(), 'high')],
  [
    'a card on sale, with a choice',
    (make) => cardMarkup(make, card({ originalPrice: 9_999, sizes: ['S', 'M'] }), 'lazy'),
  ],
  [
    'a card without price and picture',
    (make) => cardMarkup(make, card({ price: 0, picture: undefined }), 'lazy'),
  ],
  ['a gallery', (make) => galleryMarkup(make, gallery)],
  ['a gallery without pictures', (make) => galleryMarkup(make, { ...gallery, pictures: [] })],
  ['the pages of a listing', (make) => paginationMarkup(make, { ...ALL_PRODUCTS, page: 4 }, 200)],
])('the build and the browser make the same of %s, whatever its texts are', (_, markup) => {
  const template = document.createElement('template');
  template.innerHTML = markup(html).html;
  expect(template.content.childNodes).toHaveLength(1);
  expect(template.content.firstChild?.isEqualNode(markup<Element>(element))).toBe(true);
});
