import { shownCategory } from './page-bytes.ts';
import { type Product, shortId } from './product.ts';
import { keyFacts, priceNote } from './unit-price.ts';

/** A line of text under the price on a product's page. */
export interface PriceLine {
  readonly name: string;
  /** The line is hidden when this returns ''. */
  readonly text: (product: Product) => string;
  /** Whether the line holds texts of the store, which are not translated. */
  readonly isStoreText?: boolean;
}

/**
 * The lines under the price, in their order. An entry adds a line to every product's page: Detail.astro builds it, and
 * detail.ts updates it when the API has a newer product. `attributeLine` (src/domain/attributes.ts) makes the text of an
 * attribute. A new entry needs a test of its text in tests/unit/domain/product-texts.test.ts and, unless it is the store's
 * text, Hindi in src/messages/hi-shop.ts.
 */
export const PRICE_LINES: readonly PriceLine[] = [
  { name: 'note', text: priceNote },
  { name: 'facts', text: ({ attributes }) => keyFacts(attributes).join(' · '), isStoreText: true },
];

/** The texts of a product on its page, by the `data-text` of their elements. */
export const productTexts = (product: Product): Readonly<Record<string, string>> => ({
  name: product.name,
  category: shownCategory(product.category),
  id: shortId(product.id),
  description: product.description,
  ...Object.fromEntries(PRICE_LINES.map(({ name, text }) => [name, text(product)])),
});
