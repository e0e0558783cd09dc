import { formatRupees, type Paise, toPaise } from './money.ts';
import type { StoreRecord } from './store-fields.ts';

/** What delivery of an order costs, and from which subtotal it is free, in rupees. */
export type DeliveryTerms = Pick<StoreRecord['delivery'], 'charge' | 'freeFrom'>;

/** Where the record says nothing, delivery is free. */
export const FREE_DELIVERY: DeliveryTerms = { charge: null, freeFrom: null };

/** The delivery of items that come to `subtotal`. Nothing is delivered for nothing. */
export const deliveryPaise = (subtotal: Paise, { charge, freeFrom }: DeliveryTerms): Paise =>
  charge === null || subtotal === 0 || (freeFrom !== null && subtotal >= toPaise(freeFrom))
    ? 0
    : toPaise(charge);

/** The terms for an island that shows them; nothing where delivery is free, as it is by the specification. */
export const builtDelivery = ({
  delivery: { charge, freeFrom },
}: Pick<StoreRecord, 'delivery'>): { delivery?: DeliveryTerms } =>
  charge ? { delivery: { charge, freeFrom } } : {};

interface DeliveryWords {
  /** As a heading, and what follows it: 'Free shipping' and 'from ₹499'. */
  readonly title: string;
  readonly text: string;
  /** Within a sentence: 'free shipping from ₹499'. */
  readonly terms: string;
  readonly sentence: string;
}

/** The promise of every page about what delivery costs. */
export function deliveryWords({ charge, freeFrom }: DeliveryTerms): DeliveryWords {
  if (charge === null || charge === 0) {
    return {
      title: 'Free shipping',
      text: 'on every order',
      terms: 'free shipping on every order',
      sentence: 'Shipping is free on every order.',
    };
  }
  const cost = formatRupees(charge);
  if (freeFrom === null) {
    return {
      title: `Shipping ${cost}`,
      text: 'on every order',
      terms: `shipping for ${cost} on every order`,
      sentence: `Shipping costs ${cost} on every order.`,
    };
  }
  const from = formatRupees(freeFrom);
  return {
    title: 'Free shipping',
    text: `from ${from}`,
    terms: `free shipping from ${from}`,
    sentence: `Shipping costs ${cost}. It is free from ${from}.`,
  };
}
