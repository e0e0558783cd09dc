import { expect, it } from 'vitest';
import { normalisePhone } from '#domain/phone.ts';
import { normalisePin, postalCodeHint } from '#domain/pin.ts';
import { PIN_STATES, statesOfPin, suggestedStates } from '#domain/pin-states.ts';
import {
  blankAddressFields,
  EMPTY_ADDRESS,
  isPasted,
  normaliseField,
  trimAddress,
} from '#domain/shipping-address.ts';
import { MEERA } from '#tests/support/samples.ts';

it('[spec 5.checkout.2] the shipping address names the fields that are blank after trimming', () => {
  expect(blankAddressFields({ ...MEERA, city: ' \t', phone: '' })).toEqual(['city', 'phone']);
  expect(blankAddressFields(EMPTY_ADDRESS)).toHaveLength(6);
  expect(blankAddressFields(MEERA)).toEqual([]);
});

it('the shipping address is trimmed, without the direction marks of a copied number', () => {
  expect(
    trimAddress({
      ...MEERA,
      city: ' Pune ',
      phone: `\u202a${MEERA.phone}\u202c`,
    }),
  ).toEqual(MEERA);
});

it.each([
  ['411001', undefined],
  ['411 001', undefined],
  ['', undefined],
  ['011001', 'PIN codes have 6 digits and do not start with 0.'],
  ['41100', 'PIN codes have 6 digits and do not start with 0.'],
])('[spec 5.checkout.3] the hint for the PIN code %j is %j', (code, hint) => {
  expect(postalCodeHint(code)).toBe(hint);
});

it('only phone and PIN code are normalised', () => {
  for (const field of ['address', 'city', 'fullName', 'state'] as const)
    expect(normaliseField(field, '411 001')).toBe('411 001');
  expect(normaliseField('postalCode', '411 001')).toBe('411001');
  for (const phone of ['98765 43210', 'call me'])
    expect(normaliseField('phone', phone)).toBe(normalisePhone(phone));
});

it('distinguishes a paste from a key press', () => {
  expect(isPasted('9', '')).toBe(false);
  expect(isPasted('98', '9')).toBe(false);
  expect(isPasted('9876543210', '')).toBe(true);
  expect(isPasted('', '9876543210')).toBe(false);
});

it.each([
  ['411001', '411001'],
  ['411 001', '411001'],
  ['411-001', '411001'],
  ['४११००१', '411001'],
  ['४११ ००१', '411001'],
  ['011001', '011001'],
  ['41100', '41100'],
  ['4110011', '4110011'],
  ['near 411001', 'near 411001'],
  ['', ''],
])('a PIN code %j is stored as %j', (typed, stored) => expect(normalisePin(typed)).toBe(stored));

it.each([
  ['411001', ['Maharashtra']],
  ['४११ ००१', ['Maharashtra']],
  ['403001', ['Goa']],
  ['110001', ['Delhi']],
  ['737101', ['Sikkim']],
  ['560001', ['Karnataka']],
  ['826001', ['Jharkhand']],
  ['160062', ['Chandigarh', 'Punjab']],
  ['140119', ['Punjab', 'Chandigarh']],
  ['362520', ['Gujarat', 'Dadra and Nagar Haveli and Daman and Diu']],
  ['396230', ['Gujarat', 'Dadra and Nagar Haveli and Daman and Diu']],
  ['533464', ['Andhra Pradesh', 'Puducherry']],
  ['673310', ['Kerala', 'Puducherry']],
  ['507130', ['Telangana', 'Andhra Pradesh']],
  ['246701', ['Uttarakhand', 'Uttar Pradesh']],
  ['263139', ['Uttarakhand']],
  ['796001', ['Mizoram']],
  ['194101', ['Ladakh']],
  ['990001', []],
  ['4110', []],
  ['constructor', []],
])('a PIN code %j is in %j', (pin, states) => expect(statesOfPin(pin)).toEqual(states));

it('a PIN code suggests nothing once a state is typed', () => {
  expect(suggestedStates(['Maharashtra'], ' maharashtra ')).toEqual([]);
  expect(suggestedStates(['Jammu and Kashmir'], 'Jammu & Kashmir')).toEqual([]);
  expect(suggestedStates(['Odisha'], 'Orissa')).toEqual([]);
  expect(suggestedStates(['Gujarat', 'Dadra and Nagar Haveli and Daman and Diu'], 'Daman & Diu')).toEqual([]);
  expect(suggestedStates(['Goa'], '')).toEqual(['Goa']);
  expect(suggestedStates(['Goa'], 'Kerala')).toEqual(['Goa']);
});

it('the table has two or three first digits and valid state names', () => {
  for (const [state, digits] of PIN_STATES) {
    expect(digits).toMatch(/^[1-9]\d{1,2}(?: [1-9]\d{1,2})*$/);
    expect(state).toMatch(/^[A-Z][A-Za-z ]+$/);
  }
});
