import { expect, it } from 'vitest';
import { accountKey, addressKey, phoneKeys } from '#domain/same-customer.ts';

it.each([
  ['98765 43210', ['9876543210']],
  ['+91-98765-43210', ['9876543210']],
  ['0091 (0) 98765.43210', ['9876543210']],
  ['Mob: ०९८७६५४३२१०', ['9876543210']],
  ['91987 65432', ['9198765432']],
  ['98765/43210', ['9876543210']],
  ['98765 43210 / 0 91234 56789', ['9876543210', '9123456789']],
  ['98765 43210 ext. 12', ['9876543210']],
  ['020-2567 1234', ['2025671234']],
  ['+91 20 2567 1234', ['2025671234']],
  ['call me', []],
  ['', []],
])('the phone %j is known by %j', (phone, keys) => {
  expect(phoneKeys(phone)).toEqual(keys);
});

it.each([
  ['a.sha+shop@googlemail.com', 'asha@gmail.com'],
  ['a.sha+shop@example.com', 'a.sha@example.com'],
])('the email %j is of the mailbox %j', (email, key) => {
  expect(accountKey(email)).toBe(key);
});

const AT = '411001';

it.each([
  ['12, M.G. Rd.', AT],
  ['#12 MG ROAD', '411 001'],
  ['No. 12  mg-road', '४११००१'],
  ['१२ Mg Road,', AT],
])('%j at %j is the same address as 12 MG Road', (address, postalCode) => {
  expect(addressKey({ address, postalCode })).toBe('411001 12mgroad');
});

it('another PIN code, house or street is another address, and an erased one is none', () => {
  const keys = [
    { address: '12 MG Road', postalCode: '411002' },
    { address: '12A MG Road', postalCode: AT },
    { address: 'एमजी रोड 12', postalCode: AT },
    { address: ' - ', postalCode: AT },
    { address: '12 MG Road', postalCode: '' },
  ].map(addressKey);
  expect(keys).toEqual(['411002 12mgroad', '411001 12amgroad', '411001 एमजीरोड12', '', '']);
});
