// @vitest-environment jsdom
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { paginationMarkup } from '#components/listing/pagination.ts';
import { element, html, type Make } from '#components/markup.ts';
import { cardMarkup } from '#components/product/card.ts';
import { galleryMarkup } from '#components/product/gallery.ts';
import { scriptJson } from '#components/product/structured-data.ts';
import { type Card, toCard } from '#domain/card.ts';
import { ALL_PRODUCTS } from '#domain/listing.ts';
import { cutToBytes, firstWithinBytes } from '#domain/page-bytes.ts';
import { plainPicture } from '#domain/picture.ts';
import { escapeMarkup } from '#domain/text.ts';
import { aProduct } from '#tests/support/samples.ts';

const HOSTILE = `"><img src=x onerror='alert(1)'> &amp; & ₹ <b></b><!-- ]]> -->`;
const picture = plainPicture('https://shop.example/a.jpg?b=1&c="2"');
const card = (change: Partial<Card> = {}): Card => ({
  ...toCard(aProduct({ name: HOSTILE }), picture),
  ...change,
});
const gallery = { name: HOSTILE, tint: 'tint-1', pictures: [picture, picture], onSale: true };

it.each<[string, <Node>(make: Make<Node>) => Node]>([
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

it.each(['text/html', 'application/xml'] as const)('text is escaped in %s', (type) => {
  const source = `<p title="${escapeMarkup(HOSTILE)}" lang='${escapeMarkup(HOSTILE)}'>${escapeMarkup(HOSTILE)}</p>`;
  const paragraph = new DOMParser().parseFromString(source, type).querySelector('p');
  expect(paragraph?.childElementCount).toBe(0);
  expect([paragraph?.textContent, paragraph?.getAttribute('title')]).toEqual([HOSTILE, HOSTILE]);
  expect(paragraph?.getAttribute('lang')).toBe(HOSTILE);
});

it.each(['</script><script>alert(1)', '<!--', '\u2028\u2029', '"\\', '🍊'])(
  '%j cannot end its script, and parses back equal',
  (text) => {
    const json = scriptJson({ text });
    expect(json).not.toMatch(/[<\u2028\u2029]/);
    expect(JSON.parse(json)).toEqual({ text });
  },
);

it.each([
  ['mangoes', 5, 'mango'],
  ['आम आम', 7, 'आम '],
  ['🥭🥭', 7, '🥭'],
  ['a<b', 7, 'a'],
  ['short', 5, 'short'],
])('the bytes of %s %i bytes are %j', (value, limit, cut) => expect(cutToBytes(value, limit)).toBe(cut));

it('a cut text never exceeds the limit, splits no character, and does not change texts that fit', () => {
  /** Escaped for an attribute that holds JSON, which takes the most bytes. */
  const inPage = (text: string) => {
    const element = document.createElement('p');
    element.title = JSON.stringify(text).slice(1, -1);
    return new TextEncoder().encode(element.outerHTML.slice('<p title="'.length, -'"></p>'.length)).length;
  };
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(200), (value, limit) => {
      const cut = cutToBytes(value, limit);
      expect(value.startsWith(cut)).toBe(true);
      expect(cut.isWellFormed()).toBe(value.slice(0, cut.length).isWellFormed());
      expect(inPage(cut)).toBeLessThanOrEqual(limit);
    }),
  );
});

it('returns the first texts that fit together', () => {
  expect(firstWithinBytes(['आम', 'mango', 'kiwi'], 11)).toEqual(['आम', 'mango']);
  expect(firstWithinBytes(['आम', 'mango'], 11)).toEqual(['आम', 'mango']);
  expect(firstWithinBytes([], 1)).toEqual([]);
});
