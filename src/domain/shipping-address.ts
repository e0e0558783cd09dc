import { type Fields, fieldsOf } from './json.ts';
import { normalisePhone } from './phone.ts';
import { normalisePin } from './pin.ts';
import { tidyCode, tidyText } from './text.ts';

/**
 * The fields of an address, in the order of the form. `max` is the API's limit in characters. `missing` is the form's
 * error for a blank field. All fields are required, here and by the API (`AddressSchema` in src/server/orders/schema.ts).
 * A new field must be optional in `StoredAddressSchema`, because older orders lack it.
 */
export const ADDRESS_FIELDS = {
  fullName: { max: 120, missing: 'Enter your full name' },
  address: { max: 500, missing: 'Enter your address' },
  city: { max: 120, missing: 'Enter your city' },
  state: { max: 120, missing: 'Enter your state' },
  postalCode: { max: 20, missing: 'Enter your PIN code' },
  phone: { max: 40, missing: 'Enter your phone number' },
} as const satisfies Record<string, { readonly max: number; readonly missing: string }>;

export type AddressField = keyof typeof ADDRESS_FIELDS;

export type ShippingAddress = Readonly<Record<AddressField, string>>;

const isField = (name: string): name is AddressField => Object.hasOwn(ADDRESS_FIELDS, name);

export const ADDRESS_FIELD_NAMES: readonly AddressField[] = Object.keys(ADDRESS_FIELDS).filter(isField);

export const eachAddressField = <T>(get: (field: AddressField) => T): Record<AddressField, T> =>
  Object.fromEntries(ADDRESS_FIELD_NAMES.map((field) => [field, get(field)])) as Record<AddressField, T>;

export const EMPTY_ADDRESS: ShippingAddress = eachAddressField(() => '');

/** Returns the blank fields. Nothing else blocks an order. */
export const blankAddressFields = (address: ShippingAddress): AddressField[] =>
  ADDRESS_FIELD_NAMES.filter((field) => tidyText(address[field]) === '');

const TEXT_LIMIT = 2_000;

const NORMALISERS: Partial<Record<AddressField, (text: string) => string>> = {
  postalCode: normalisePin,
  phone: normalisePhone,
};

export const normaliseField = (field: AddressField, text: string): string =>
  NORMALISERS[field]?.(text) ?? text;

/** Returns a field as it is sent and stored. A phone keeps its format, in digits that every courier reads. */
export const tidyField = (field: AddressField, text: string): string =>
  field === 'phone' ? tidyCode(text) : field === 'postalCode' ? normalisePin(tidyCode(text)) : tidyText(text);

/** Whether the text grew by more than one key press, so it was pasted or filled in by the browser. */
export const isPasted = (text: string, before: string): boolean => text.length - before.length > 1;

/** Parses a stored address. Invalid fields become ''. Returns undefined if the value is not an object. */
export function decodeAddress(value: unknown): ShippingAddress | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const texts: Fields<AddressField> = fieldsOf(value);
  return eachAddressField((field) => {
    const text = texts[field];
    return typeof text === 'string' ? text.slice(0, TEXT_LIMIT) : '';
  });
}

export const trimAddress = (address: ShippingAddress): ShippingAddress =>
  eachAddressField((field) => tidyField(field, address[field]));
