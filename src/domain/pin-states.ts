import { foldText } from './fold-text.ts';
import { isPin, normalisePin } from './pin.ts';

/**
 * The states and the first digits of their PIN codes, from India Post's directory of post offices. Sorting districts cross
 * borders: digits that several states share are in each of their lines, the most likely state first. The checkout only
 * suggests them.
 */
export const PIN_STATES: readonly (readonly [state: string, digits: string])[] = [
  ['Delhi', '11'],
  ['Haryana', '12 13'],
  ['Punjab', '14 140 15'],
  ['Chandigarh', '16 140'],
  ['Punjab', '16'],
  ['Himachal Pradesh', '17'],
  ['Jammu and Kashmir', '18 19'],
  ['Ladakh', '194'],
  ['Uttar Pradesh', '20 21 22 23 24 244 247 25 26 262 27 28'],
  ['Uttarakhand', '244 246 247 248 249 262 263'],
  ['Uttar Pradesh', '246'],
  ['Rajasthan', '30 31 32 33 34'],
  ['Gujarat', '36 362 37 38 39 396'],
  ['Dadra and Nagar Haveli and Daman and Diu', '362 396'],
  ['Maharashtra', '40 41 42 43 44'],
  ['Goa', '403'],
  ['Madhya Pradesh', '45 46 47 48'],
  ['Chhattisgarh', '49'],
  ['Telangana', '50 507'],
  ['Andhra Pradesh', '507 51 52 53 533'],
  ['Karnataka', '56 57 58 59'],
  ['Tamil Nadu', '60 605 607 609 61 62 63 64'],
  ['Kerala', '67 673 68 682 69'],
  ['Puducherry', '533 605 607 609 673'],
  ['Lakshadweep', '682'],
  ['West Bengal', '70 71 72 73 74'],
  ['Sikkim', '737'],
  ['Andaman and Nicobar Islands', '744'],
  ['Odisha', '75 76 77'],
  ['Assam', '78 783'],
  ['Arunachal Pradesh', '790 791 792'],
  ['Meghalaya', '783 793 794'],
  ['Manipur', '795'],
  ['Mizoram', '796'],
  ['Nagaland', '797 798'],
  ['Tripura', '799'],
  ['Bihar', '80 81 813 82 84 85'],
  ['Jharkhand', '813 814 815 816 822 825 826 827 828 829 83'],
  ['Bihar', '814'],
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

/** Former names of states, and names of their parts. */
const OTHER_STATES: Readonly<Record<string, string>> = {
  orissa: 'odisha',
  pondicherry: 'puducherry',
  uttaranchal: 'uttarakhand',
  'new delhi': 'delhi',
  'daman and diu': 'dadra and nagar haveli and daman and diu',
  'dadra and nagar haveli': 'dadra and nagar haveli and daman and diu',
};

/** Returns the states to suggest; empty once the typed text is one of them. */
export function suggestedStates(states: readonly string[], input: string): readonly string[] {
  const plain = (text: string): string => foldText(text).replace(/ ?& ?/g, ' and ');
  const name = plain(input);
  return states.some((state) => plain(state) === (OTHER_STATES[name] ?? name)) ? [] : states;
}
