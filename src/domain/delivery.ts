import { formatRupees, type Paise, toPaise } from './money.ts';
import type { StoreRecord } from './store-fields.ts';

/** The delivery charge, and the subtotal from which delivery is free, both in rupees. */
export type DeliveryTerms = Pick<StoreRecord['delivery'], 'charge' | 'freeFrom'>;

export const FREE_DELIVERY: DeliveryTerms = { charge: null, freeFrom: null };

/** Returns the delivery charge for a subtotal. Units: paise. An empty cart costs 0. */
export const deliveryPaise = (subtotal: Paise, { charge, freeFrom }: DeliveryTerms): Paise =>
  charge === null || subtotal === 0 || (freeFrom !== null && subtotal >= toPaise(freeFrom))
    ? 0
    : toPaise(charge);

/** The terms as an island's prop; {} if delivery is free, which is the specification's default. */
export const builtDelivery = ({
  delivery: { charge, freeFrom },
}: Pick<StoreRecord, 'delivery'>): { delivery?: DeliveryTerms } =>
  charge ? { delivery: { charge, freeFrom } } : {};

interface DeliveryWords {
  /** A heading; `text` follows it: 'Free shipping' and 'from ₹499'. */
  readonly title: string;
  readonly text: string;
  /** Within a sentence: 'free shipping from ₹499'. */
  readonly terms: string;
  readonly sentence: string;
}

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
