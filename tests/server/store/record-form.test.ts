import * as v from 'valibot';
import { expect, test } from 'vitest';
import { StoreInfoSchema as ReadSchema } from '#api/schema/store-info.ts';
import { EMPTY, recordFrom, storeLeaves, valueAt } from '#domain/store-fields.ts';
import { parseForm } from '#server/admin/forms/parse.ts';
import { storeForm, storeFrom, storeTexts } from '#server/store/record-form.tsx';
import { StoreFileSchema, StoreInfoSchema } from '#server/store/schema.ts';
import { filledForm, renderForm, withFiles } from '#tests/server/support/admin.ts';

const NOTHING = recordFrom(({ field }) => EMPTY[field.kind]);

const REQUIRED = {
  ...NOTHING,
  ...{ storeName: 'Stall', companyName: 'Company', companyAddress: '1 Road' },
  ...{ companyEmail: 'shop@example.com', companyPhone: '+91 98765 43210' },
};

const RECORD = {
  ...REQUIRED,
  returnDays: 7,
  delivery: {
    charge: 49.5,
    freeFrom: null,
    places: [
      { digits: '4110', charge: 25 },
      { digits: '9', charge: 99.5 },
    ],
    days: '2-4',
    bulkDays: '',
  },
  pause: { from: '2026-11-08', until: '2026-11-14', sentence: 'We are at a wedding.' },
  trust: [{ title: 'Fresh', text: '' }],
  cashOnDelivery: { most: null, pinCodes: ['411001', '4110'] },
};

const OTHERS = { categories: ['Berries'], categoryImages: {}, policies: {} };

/** Renders the form with a record, types into some fields and parses what it sends. */
async function sent(record: unknown, typed: Record<string, string> = {}) {
  const { fields } = storeForm;
  const shown = renderForm({ fields, action: '/', submit: 'Save', values: storeTexts(record) });
  return parseForm(storeForm, withFiles(filledForm(shown, '/', typed), '', []));
}

test('keeps a record unchanged through form, storage, API and shop', async () => {
  for (const record of [RECORD, REQUIRED]) {
    const parsed = await sent(record);
    if (!parsed.isValid) expect.fail([...parsed.errors.values()].join());
    expect(storeFrom(parsed.output)).toEqual(record);
    for (const schema of [StoreFileSchema, StoreInfoSchema, ReadSchema])
      expect(v.parse(schema, { ...record, ...OTHERS })).toMatchObject(record);
  }
});

test('reads missing fields as empty, except a required text in a file', () => {
  expect(v.parse(StoreInfoSchema, OTHERS)).toMatchObject(NOTHING);
  expect(v.parse(ReadSchema, {})).toMatchObject(NOTHING);
  const messages = v.safeParse(StoreFileSchema, OTHERS).issues?.map(({ message }) => message);
  expect(messages).toEqual(Array(5).fill('must not be empty'));
});

const PIN_ERROR = 'must be PIN codes or their first digits, such as 411001 or 411';

test.each([
  ['storeName', '', 'Enter: Name of the shop'],
  ['storeName', 'x'.repeat(201), 'Name of the shop must have at most 200 characters'],
  ['companyEmail', 'nobody', 'Email for customers must be an email address'],
  [
    'newsletterUrl',
    'http://a.example',
    'Sign-up page of your newsletter must be an address that begins with https://',
  ],
  ['returnDays', '1.5', 'Days to return or cancel must be a whole number'],
  ['returnDays', 'seven', 'Days to return or cancel must be a whole number'],
  ['returnDays', '366', 'Days to return or cancel must be at most 365'],
  [
    'cashOnDelivery.pinCodes',
    '1\n'.repeat(501),
    'PIN codes with cash on delivery must have at most 500 lines: write the first digits of PIN codes that belong together, such as 411',
  ],
  ['served', '4110011', `PIN codes that you deliver to ${PIN_ERROR}`],
  ['served', '011', `PIN codes that you deliver to ${PIN_ERROR}`],
  ['cashOnDelivery.pinCodes', '411*', `PIN codes with cash on delivery ${PIN_ERROR}`],
  [
    'delivery.places',
    '4110 25\n'.repeat(501),
    'Delivery costs to some PIN codes must have at most 500 lines: write the first digits of PIN codes that belong together, such as 411',
  ],
  [
    'delivery.places',
    'Pune 25',
    'Delivery costs to some PIN codes must have lines such as 4110 25: first digits of PIN codes, and rupees',
  ],
  ['pause.until', '2026-02-30', 'No orders until must be a day such as 2026-11-25'],
  ['delivery.charge', 'free', 'Delivery costs must be an amount in rupees, such as 1,299 or 129.50'],
  ['trust.1.title', 'x'.repeat(41), 'Promise 2 must have at most 40 characters'],
])('%s cannot be %j', async (name, typed, error) => {
  const parsed = await sent(RECORD, { [name]: typed });
  expect(parsed.isValid ? [] : [...parsed.errors]).toEqual([[name, error]]);
});

test('PIN codes may be typed with blanks and commas', async () => {
  const parsed = await sent(RECORD, {
    served: '411 001, ४११;  560-001\n4110',
    'delivery.places': '411 001 25\n411 100\n5600: ₹40',
  });
  const output = parsed.isValid ? storeFrom(parsed.output) : parsed.errors;
  expect(output).toMatchObject({
    served: ['411001', '411', '560001', '4110'],
    delivery: {
      places: [
        { digits: '411001', charge: 25 },
        { digits: '411', charge: 100 },
        { digits: '5600', charge: 40 },
      ],
    },
  });
});

test('the shop reads an invalid number as missing', () => {
  const numbers = storeLeaves().filter(({ field }) => EMPTY[field.kind] === null);
  for (const bad of [true, Number.NaN, -1, 'x']) {
    const read = v.parse(
      ReadSchema,
      recordFrom(({ field }) => (EMPTY[field.kind] === null ? bad : '')),
    );
    for (const { name } of numbers) expect(valueAt(read, name), `${name} ${bad}`).toBeNull();
  }
});
