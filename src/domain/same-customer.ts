import { mailboxOf } from './email.ts';
import { searchText } from './fold-text.ts';
import { mobileDigits } from './phone.ts';
import { normalisePin } from './pin.ts';
import type { ShippingAddress } from './shipping-address.ts';
import { tidyCode } from './text.ts';

/* By what two orders are known to be of one customer, however they were typed. */

/**
 * Returns the mailbox of an email. Only Gmail is known to ignore dots: elsewhere another spelling may be another person.
 * @param email in its canonical form
 */
export const accountKey = (email: string): string =>
  /@(?:gmail|googlemail)\.com$/.test(email) ? mailboxOf(email) : email.replace(/^([^@+]*)\+[^@]*@/, '$1@');

const LENGTH = 10;

/**
 * Returns the ten digits of each number in a phone field, such as two with a slash between. Of a text without a mobile
 * number, its last ten digits; [] without any.
 */
export function phoneKeys(phone: string): string[] {
  const text = tidyCode(phone);
  const mobiles = text.split(/[^\d\s()+.-]+/).flatMap((part) => mobileDigits(part) ?? []);
  const digits = text.replaceAll(/\D/g, '').slice(-LENGTH);
  return mobiles.length > 0 || digits === '' ? mobiles : [digits];
}

const SHORT: Readonly<Record<string, string>> = {
  apt: 'apartment',
  bldg: 'building',
  flr: 'floor',
  no: '',
  ngr: 'nagar',
  opp: 'opposite',
  rd: 'road',
  st: 'street',
};

/** Longer addresses are compared by their beginning, because an index has a limit. */
const MAX_KEY = 300;

/**
 * Returns the PIN code and the first line without case, blanks and signs: '411001 12mgroad' for '12, M.G. Rd.'. City and
 * state follow from the PIN code. '' without a PIN code or a line.
 */
export function addressKey({ address, postalCode }: Pick<ShippingAddress, 'address' | 'postalCode'>): string {
  const words = searchText(address).split(/[^\p{L}\p{M}\p{N}]+/u);
  const line = words.map((word) => SHORT[word] ?? word).join('');
  const pin = normalisePin(postalCode).replaceAll(/[\s.-]/g, '');
  return line && pin ? `${pin} ${line}`.slice(0, MAX_KEY) : '';
}
