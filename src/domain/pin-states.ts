import { isPin, normalisePin } from './shipping-address.ts';

/**
 * The states and the first digits of their PIN codes, from India Post. Of states with the same digits, the first is the most
 * likely. The checkout only suggests them.
 */
export const PIN_STATES: readonly (readonly [state: string, digits: string])[] = [
  ['Delhi', '11'],
  ['Haryana', '12 13'],
  ['Punjab', '14 15 16'],
  ['Chandigarh', '16 160'],
  ['Himachal Pradesh', '17'],
  ['Jammu and Kashmir', '18 19'],
  ['Ladakh', '194'],
  ['Uttar Pradesh', '20 21 22 23 24 25 26 27 28'],
  ['Rajasthan', '30 31 32 33 34'],
  ['Gujarat', '36 37 38 39'],
  ['Maharashtra', '40 41 42 43 44'],
  ['Goa', '403'],
  ['Madhya Pradesh', '45 46 47 48'],
  ['Chhattisgarh', '49'],
  ['Telangana', '50'],
  ['Andhra Pradesh', '51 52 53'],
  ['Karnataka', '56 57 58 59'],
  ['Tamil Nadu', '60 607 609 61 62 63 64'],
  ['Puducherry', '53 605 607 609'],
  ['Kerala', '67 673 68 682 69'],
  ['West Bengal', '70 71 72 73 74'],
  ['Sikkim', '737'],
  ['Andaman and Nicobar Islands', '744'],
  ['Odisha', '75 76 77'],
  ['Assam', '78'],
  ['Arunachal Pradesh', '79'],
  ['Bihar', '80 81 82 84 85'],
  ['Jharkhand', '81 82 83'],
  ['Uttarakhand', '24 26'],
  ['Dadra and Nagar Haveli and Daman and Diu', '39'],
  ['Tamil Nadu', '605'],
  ['Puducherry', '673'],
  ['Lakshadweep', '682'],
  ['Manipur', '79'],
  ['Meghalaya', '79'],
  ['Mizoram', '79'],
  ['Nagaland', '79'],
  ['Tripura', '79'],
];

const statesWith = (digits: string): readonly string[] =>
  PIN_STATES.filter(([, all]) => all.split(' ').includes(digits)).map(([state]) => state);

/** Returns the states of a PIN code, by the longest first digits in the table; empty for any other text. */
export function statesOfPin(text: string): readonly string[] {
  if (!isPin(text)) return [];
  const pin = normalisePin(text);
  const states = statesWith(pin.slice(0, 3));
  return states.length > 0 ? states : statesWith(pin.slice(0, 2));
}
