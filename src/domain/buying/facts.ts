import type { Paise, Rupees } from '#domain/money.ts';
import type { LeafField, RecordOf, StoreRecord } from '#domain/store-fields.ts';

const PIECES = { kind: 'whole', max: 9_999 } as const;

/**
 * What the staff enter about buying a product, by the API's names. A new field is a line here and its label in
 * PRODUCT_TERM_LABELS (src/server/catalogue/schema.ts). Storage, API, catalogue folder and admin form follow.
 */
export const PRODUCT_TERMS = {
  /** A day such as '2027-04-15'. Nothing is sold before it. */
  backOn: { kind: 'text', max: 10, format: 'date' },
  minPerOrder: PIECES,
  maxPerOrder: PIECES,
} as const satisfies Readonly<Record<string, LeafField>>;

type Terms = RecordOf<typeof PRODUCT_TERMS>;

export type ProductTerms = { readonly [Name in keyof Terms]?: NonNullable<Terms[Name]> | undefined };

export const STOCK_STATES = ['in_stock', 'few_left', 'sold_out', 'back_on'] as const;

export type StockState = (typeof STOCK_STATES)[number];

export interface SizeStock {
  readonly size: string;
  readonly availability: StockState;
  /** Undefined if the pieces are not counted, or the API does not say how many there are. */
  readonly left?: number | undefined;
}

/** What the API says about buying a product. All of it may be missing: such a product is sold without a limit. */
export interface ProductBuying extends ProductTerms {
  readonly availability?: StockState | undefined;
  readonly left?: number | undefined;
  readonly sizes?: readonly SizeStock[] | undefined;
}

/** A product as the rules see it. */
export interface SoldProduct {
  readonly name: string;
  readonly price: Rupees;
  readonly sizes: readonly string[];
  readonly colors: readonly string[];
  readonly buying?: ProductBuying | undefined;
}

/** The parts of the store record that the rules check. */
export const STORE_TERMS = [
  'delivery',
  'orderMinimum',
  'pause',
  'served',
  'cashOnDelivery',
] as const satisfies readonly (keyof StoreRecord)[];

/** 'online' is any method that is paid before the order is packed. */
export const PAYMENT_KINDS = ['online', 'cash'] as const;

export type PaymentKind = (typeof PAYMENT_KINDS)[number];

export interface StoreTerms extends Pick<StoreRecord, (typeof STORE_TERMS)[number]> {
  /** Empty if the API does not say how an order can be paid. */
  readonly paymentMethods: readonly PaymentKind[];
}

/** A line of a cart or an order. '' means no size or no colour. */
interface OrderedLine {
  readonly id: string;
  readonly quantity: number;
  readonly selectedSize: string;
  readonly selectedColor: string;
}

export interface LineFacts {
  readonly name: string;
  readonly product: SoldProduct | 'discontinued';
  readonly size: string;
  readonly color: string;
  readonly quantity: number;
  /** Pieces of the product in the whole order. */
  readonly pieces: number;
  /** Pieces of the product in this size in the whole order. */
  readonly piecesOfSize: number;
}

export interface OrderFacts {
  readonly store: StoreTerms;
  /** Those whose products are known. */
  readonly lines: readonly LineFacts[];
  /** The goods without delivery. */
  readonly subtotal: Paise;
}

export interface PlaceFacts extends Omit<OrderFacts, 'subtotal'> {
  /** Six digits, or another text that was typed. */
  readonly postalCode: string;
  /** What the order costs, where it is known. */
  readonly total?: Paise | undefined;
}

const sum = (lines: readonly OrderedLine[]): number =>
  lines.reduce((pieces, { quantity }) => pieces + quantity, 0);

/**
 * Returns the facts of each line.
 * @param productOf undefined if the product is not known: such a line has no facts
 */
export const lineFacts = <Line extends OrderedLine>(
  lines: readonly Line[],
  productOf: (line: Line) => Pick<LineFacts, 'name' | 'product'> | undefined,
): (LineFacts | undefined)[] =>
  lines.map((line) => {
    const product = productOf(line);
    const { id, quantity, selectedSize: size, selectedColor: color } = line;
    const same = lines.filter((other) => other.id === id);
    const ofSize = same.filter(({ selectedSize }) => selectedSize === size);
    return product && { ...product, size, color, quantity, pieces: sum(same), piecesOfSize: sum(ofSize) };
  });
