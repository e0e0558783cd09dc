import { type Paise, type Rupees, toPaise } from './money.ts';
import { normalisePin } from './pin.ts';
import type { StoreRecord } from './store-fields.ts';

/** In rupees: the delivery charge, the charges of places, and the subtotal from which all get free delivery. */
export type DeliveryTerms = Pick<StoreRecord['delivery'], 'charge' | 'freeFrom'> &
  Partial<Pick<StoreRecord['delivery'], 'places'>>;

export const FREE_DELIVERY: DeliveryTerms = { charge: null, freeFrom: null };

/** Returns the charge for a PIN code. If several places match, the one with the most digits counts; if none, `charge`. */
export function chargeOf({ charge, places = [] }: DeliveryTerms, postalCode: string): Rupees | null {
  const code = normalisePin(postalCode);
  const own = places.filter(({ digits }) => code.startsWith(digits));
  const maxLength = Math.max(...own.map(({ digits }) => digits.length));
  return own.find(({ digits }) => digits.length === maxLength)?.charge ?? charge;
}

/** Returns the delivery charge for a subtotal. Units: paise. An empty cart costs 0. */
export function deliveryPaise(subtotal: Paise, terms: DeliveryTerms, postalCode = ''): Paise {
  const isFree = terms.freeFrom !== null && subtotal >= toPaise(terms.freeFrom);
  return subtotal === 0 || isFree ? 0 : toPaise(chargeOf(terms, postalCode) ?? 0);
}

/** Whether the charge depends on a PIN code. @param subtotal in paise */
export const isChargedByPlace = (subtotal: Paise, { freeFrom, places = [] }: DeliveryTerms): boolean =>
  places.length > 0 && subtotal > 0 && (freeFrom === null || subtotal < toPaise(freeFrom));

/** Whether no order pays for its delivery, wherever it goes. */
export const isAlwaysFree = ({ charge, places = [] }: DeliveryTerms): boolean =>
  !charge && places.every((place) => place.charge === 0);

/** The terms as an island's prop; {} if delivery is free, which is the specification's default. */
export const builtDelivery = ({ delivery }: Pick<StoreRecord, 'delivery'>): { delivery?: DeliveryTerms } => {
  const { charge, freeFrom, places } = delivery;
  if (isAlwaysFree(delivery)) return {};
  return { delivery: { charge, freeFrom, ...(places.length > 0 && { places }) } };
};
