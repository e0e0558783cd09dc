import { formatRupees, type Paise, type Rupees, toPaise } from './money.ts';
import { normalisePin } from './shipping-address.ts';
import type { StoreRecord } from './store-fields.ts';

/** The delivery charge, those of places, and the subtotal from which delivery is free everywhere, in rupees. */
export type DeliveryTerms = Pick<StoreRecord['delivery'], 'charge' | 'freeFrom'> &
  Partial<Pick<StoreRecord['delivery'], 'places'>>;

export const FREE_DELIVERY: DeliveryTerms = { charge: null, freeFrom: null };

/** Returns the charge of the place with the longest first digits of the PIN code, else the one of all others. */
const chargeOf = ({ charge, places = [] }: DeliveryTerms, postalCode: string): Rupees | null =>
  places
    .filter(({ digits }) => normalisePin(postalCode).startsWith(digits))
    .toSorted((one, other) => other.digits.length - one.digits.length)[0]?.charge ?? charge;

/** Returns the delivery charge for a subtotal. Units: paise. An empty cart costs 0. */
export function deliveryPaise(subtotal: Paise, terms: DeliveryTerms, postalCode = ''): Paise {
  const isFree = terms.freeFrom !== null && subtotal >= toPaise(terms.freeFrom);
  return subtotal === 0 || isFree ? 0 : toPaise(chargeOf(terms, postalCode) ?? 0);
}

/** Whether the charge depends on a PIN code. @param subtotal in paise */
export const isChargedByPlace = (subtotal: Paise, { freeFrom, places = [] }: DeliveryTerms): boolean =>
  places.length > 0 && subtotal > 0 && (freeFrom === null || subtotal < toPaise(freeFrom));

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
