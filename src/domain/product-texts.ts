import { attributeLine } from './attributes.ts';
import { formatPaise, type Rupees, toPaise } from './money.ts';
import { shownCategory } from './page-bytes.ts';
import { type Attribute, isNamed, isPriced, type Product, shortId } from './product.ts';

interface Measure {
  /** The size of the unit in grams or millilitres. */
  readonly base: number;
  readonly large: string;
  readonly small: string;
}

const MEASURES: Readonly<Record<string, Measure>> = {
  kg: { base: 1_000, large: 'kg', small: '100 g' },
  g: { base: 1, large: 'kg', small: '100 g' },
  l: { base: 1_000, large: 'l', small: '100 ml' },
  ml: { base: 1, large: 'l', small: '100 ml' },
};

/** In grams or millilitres. Smaller quantities are priced by 100 g or 100 ml. */
const LARGE_FROM = 500;
const NET = ['net weight', 'net quantity', 'net volume'];
const PIECES = ['pieces', 'net quantity'];
const PIECE_UNITS = ['', 'piece', 'pieces'];

/** Reads a number and its unit, from the value or from `unit`. Returns undefined for a range such as '6–7'. */
function quantityOf({ values, unit = '' }: Attribute): { amount: number; unit: string } | undefined {
  const [, amount, inValue] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(values[0]?.trim() ?? '') ?? [];
  if (amount === undefined || values.length !== 1 || Number(amount) <= 0) return undefined;
  return { amount: Number(amount), unit: (inValue || unit).trim().toLowerCase() };
}

const named = (attributes: readonly Attribute[], names: readonly string[]): Attribute[] =>
  attributes.filter((attribute) => isNamed(attribute, names));

function byMeasure(price: Rupees, attribute: Attribute): string | undefined {
  const quantity = quantityOf(attribute);
  const measure = quantity && Object.hasOwn(MEASURES, quantity.unit) ? MEASURES[quantity.unit] : undefined;
  if (!quantity || !measure) return undefined;
  const net = quantity.amount * measure.base;
  const isLarge = net >= LARGE_FROM;
  const paise = Math.round((toPaise(price) * (isLarge ? 1_000 : 100)) / net);
  return `${formatPaise(paise)}/${isLarge ? measure.large : measure.small}`;
}

function byPiece(price: Rupees, attribute: Attribute): string | undefined {
  const quantity = quantityOf(attribute);
  if (!quantity || !PIECE_UNITS.includes(quantity.unit)) return undefined;
  if (!Number.isInteger(quantity.amount) || quantity.amount < 2) return undefined;
  return `${formatPaise(Math.round(toPaise(price) / quantity.amount))}/piece`;
}

const first = <Value>(values: readonly (Value | undefined)[]): Value[] =>
  values.filter((value) => value !== undefined).slice(0, 1);

/** Such as ['₹599.33/kg', '₹149.83/piece']; empty if the attributes do not contain the quantity. */
export function unitPrices(product: Pick<Product, 'price' | 'attributes'>): string[] {
  const { price, attributes } = product;
  if (!isPriced(product)) return [];
  return [
    ...first(named(attributes, NET).map((attribute) => byMeasure(price, attribute))),
    ...first(named(attributes, PIECES).map((attribute) => byPiece(price, attribute))),
  ];
}

/** The attributes shown beside the price. Each group uses the first name that the product has. */
const FACTS = [NET, ['pieces'], ['origin', 'country of origin'], ['best before', 'shelf life']];
const FACT_LENGTH = 60;

/** Such as ['Net weight 1.5 kg', 'Pieces 6', 'Origin Ratnagiri, Maharashtra', 'Shelf life 5 days']. */
export const keyFacts = (attributes: readonly Attribute[]): string[] =>
  FACTS.map((names) => attributeLine(attributes, names)).filter(
    (fact) => fact !== '' && fact.length <= FACT_LENGTH,
  );

const priceNote = (product: Pick<Product, 'price' | 'attributes'>): string =>
  isPriced(product) ? [...unitPrices(product), 'Inclusive of all taxes'].join(' · ') : '';

/** How many pieces an order may have. */
function orderLimits({ buying = {} }: Pick<Product, 'buying'>): string {
  const { minPerOrder, maxPerOrder } = buying;
  if (minPerOrder && maxPerOrder) return `From ${minPerOrder} to ${maxPerOrder} per order`;
  if (minPerOrder) return `At least ${minPerOrder} per order`;
  return maxPerOrder ? `At most ${maxPerOrder} per order` : '';
}

export interface PriceLine {
  readonly name: string;
  /** The line is hidden if this returns ''. */
  readonly text: (product: Product) => string;
  /** The store's texts are not translated. */
  readonly isStoreText?: boolean;
}

/**
 * The lines under the price on a product's page, in order. Detail.astro renders them, and detail.ts updates them if the API
 * has a newer product. `attributeLine` (attributes.ts) formats an attribute. A new line needs a test in
 * tests/unit/domain/product-texts.test.ts and, unless it is the store's text, Hindi in src/i18n/hi-shop.ts.
 */
export const PRICE_LINES: readonly PriceLine[] = [
  { name: 'note', text: priceNote },
  { name: 'facts', text: ({ attributes }) => keyFacts(attributes).join(' · '), isStoreText: true },
  { name: 'limits', text: orderLimits },
];

export const productTexts = (product: Product): Readonly<Record<string, string>> => ({
  name: product.name,
  category: shownCategory(product.category),
  id: shortId(product.id),
  description: product.description,
  ...Object.fromEntries(PRICE_LINES.map(({ name, text }) => [name, text(product)])),
});
