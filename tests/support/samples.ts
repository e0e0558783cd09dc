import type { Page } from 'playwright/test';
import type { CartLine } from '#domain/cart.ts';
import type { Order } from '#domain/order.ts';
import { amountsOf } from '#domain/order-amounts.ts';
import type { PaymentField } from '#domain/payment-form.ts';
import type { Product } from '#domain/product.ts';
import type { ShippingAddress } from '#domain/shipping-address.ts';
import { BLANK } from '#server/orders/order-extras.ts';

export const MEERA: ShippingAddress = {
  fullName: 'Meera Kulkarni',
  address: '12 Rose Villa, MG Road',
  city: 'Pune',
  state: 'Maharashtra',
  postalCode: '411001',
  phone: '+919876543210',
};

/** Two kinds of fruit for ₹1,398. A test names only the fields that it is about; the amounts follow from the items. */
export function anOrder(change: Partial<Order> = {}): Order {
  const items = change.items ?? [
    { id: 'mango', name: 'Alphonso Mango', quantity: 1, price: 899 },
    { id: 'strawberry', name: 'Strawberries', quantity: 2, price: 249.5 },
  ];
  return {
    id: '7f3e21ab',
    number: '',
    status: 0,
    createdAt: '2026-11-12T08:00:00Z',
    items,
    extras: [],
    shippingAddress: MEERA,
    amounts: amountsOf(items),
    refunds: [],
    events: [],
    ...change,
  };
}

/** A product with neutral values, so that a test names only the fields that it is about. */
export const aProduct = (change: Partial<Product> = {}): Product => ({
  id: 'p',
  name: 'P',
  price: 1,
  image: '',
  images: [],
  category: '',
  parentCategory: '',
  description: '',
  featured: false,
  sizes: [],
  colors: [],
  attributes: [],
  ...change,
});

/** Whether a product has a price that can fall, and neither sizes nor colours to choose from. */
export const isPlain = ({ price, sizes, colors }: Product): boolean =>
  price > 10 && sizes.length + colors.length === 0;

/** One mango without options. A test names only the fields that it is about. */
export const cartLine = (change: Partial<CartLine> = {}): CartLine => ({
  id: 'mango',
  name: 'Mango',
  image: '',
  price: 120,
  quantity: 1,
  selectedSize: '',
  selectedColor: '',
  ...change,
});

/** A PNG whose header says 10,000 × 10,000 px, without a pixel. */
export const HUGE_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAATiAAAE4gCAAAAADGGxnlAAAAAElEQVQ1rwYeAAAAAElFTkSuQmCC',
  'base64',
);

/** The cart in the browser's storage. */
export const storedCart = (page: Page): Promise<CartLine[]> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('cart') ?? '[]'));

/** A field of the payment form with neutral values, so that a test names only what it is about. */
export const aField = (change: Partial<PaymentField> = {}): PaymentField => ({
  ...BLANK,
  name: 'field',
  label: 'Field',
  type: 'text',
  ...change,
});

/** Such fields, each made of a name and its changes. */
export const named = (...fields: [name: string, change?: Partial<PaymentField>][]): PaymentField[] =>
  fields.map(([name, change]) => aField({ name, ...change }));

export const names = (fields: readonly PaymentField[]): string[] => fields.map(({ name }) => name);
export const values = (entries: Record<string, string>): Map<string, string> =>
  new Map(Object.entries(entries));
