import * as v from 'valibot';
import { expect, test } from 'vitest';
import { schemasOf } from '#api/schema/store-info.ts';
import type { StoreTable } from '#domain/store-fields.ts';
import { parseForm } from '#server/admin/forms/parse.ts';
import { recordFormOf } from '#server/store/record-form.tsx';
import { entriesOf } from '#server/store/schema.ts';
import { filledForm, renderForm } from '#tests/server/support/admin.ts';

/* A field of each kind, including kinds that the store record does not use yet. */

const title = { kind: 'text', most: 20 } as const;

const TABLE = {
  name: { kind: 'text', most: 10 },
  email: { kind: 'text', most: 40 },
  logo: { kind: 'picture' },
  days: { kind: 'whole', most: 30 },
  hours: { kind: 'lines', most: 2, longest: 12 },
  delivery: { kind: 'group', fields: { charge: { kind: 'money' }, freeFrom: { kind: 'money' } } },
  tiles: { kind: 'groups', most: 2, fields: { title, text: title } },
} as const satisfies StoreTable;

const WORDS = {
  name: { label: 'Name', control: 'text', isRequired: true },
  email: { label: 'Email', control: 'email' },
  logo: { label: 'Logo' },
  days: { label: 'Days of returns' },
  hours: { label: 'Hours' },
  'delivery.charge': { label: 'Delivery costs' },
  'delivery.freeFrom': { label: 'Free from' },
  'tiles.title': { label: 'Title of tile', control: 'text' },
  'tiles.text': { label: 'Text of tile', control: 'text' },
} as const;

const form = recordFormOf(TABLE, WORDS);
const Saved = v.strictObject(entriesOf(TABLE, WORDS));
const Stored = v.object(entriesOf(TABLE, WORDS, true));
const Read = v.object(schemasOf(TABLE));

const NOTHING: v.InferOutput<typeof Stored> = {
  ...{ name: '', email: '', logo: '', days: null, hours: [], tiles: [] },
  delivery: { charge: null, freeFrom: null },
};

const RECORD: v.InferOutput<typeof Saved> = {
  ...NOTHING,
  ...{ name: 'Stall', days: 7, hours: ['Mon 10-6', 'Sat 10-2'] },
  delivery: { charge: 49.5, freeFrom: null },
  tiles: [{ title: 'Fresh', text: '' }],
};

/** Renders the form with a record, types into some fields and parses what it sends. */
async function sent(record: unknown, typed: Record<string, string> = {}) {
  const shown = renderForm({ fields: form.fields, action: '/', submit: 'Save', typed: form.textsOf(record) });
  const data = new FormData();
  for (const [name, value] of filledForm(shown, '/', typed)) data.append(name, value);
  return parseForm(form, data);
}

test('keeps a record unchanged through form, storage, API and shop', async () => {
  for (const record of [RECORD, { ...NOTHING, name: 'Stall' }]) {
    const parsed = await sent(record);
    if (!parsed.isValid) expect.fail([...parsed.mistakes.values()].join());
    expect(form.recordOf({ ...parsed.values, logo: '' })).toEqual(record);
    for (const schema of [Saved, Stored, Read]) expect(v.parse(schema, record)).toEqual(record);
  }
});

test('reads missing fields as empty, except a required text in the form', () => {
  expect(v.parse(Stored, {})).toEqual(NOTHING);
  expect(v.parse(Read, {})).toEqual(NOTHING);
  expect(v.safeParse(Saved, {}).issues?.map(({ message }) => message)).toEqual(['must not be empty']);
});

test.each([
  ['name', '', 'Enter: Name'],
  ['name', 'x'.repeat(11), 'Name must have at most 10 characters'],
  ['email', 'nobody', 'Email must be an email address'],
  ['days', '1.5', 'Days of returns must be a whole number'],
  ['days', 'seven', 'Days of returns must be a whole number'],
  ['days', '31', 'Days of returns must be at most 30'],
  ['hours', 'a\nb\nc', 'Hours must have at most 2 lines'],
  ['hours', 'x'.repeat(13), 'Hours must have at most 12 characters'],
  ['delivery.charge', 'free', 'Delivery costs must be an amount in rupees, such as 1,299 or 129.50'],
  ['tiles.1.title', 'x'.repeat(21), 'Title of tile 2 must have at most 20 characters'],
])('%s cannot be %j', async (name, typed, mistake) => {
  const parsed = await sent(RECORD, { [name]: typed });
  expect(parsed.isValid ? [] : [...parsed.mistakes]).toEqual([[name, mistake]]);
});

test('reads an invalid value as empty, and keeps all other fields', () => {
  for (const name of Object.keys(TABLE)) {
    for (const bad of [{ deep: [{}] }, true, Number.NaN, -1, 'x', null]) {
      if (typeof bad === 'string' && (name === 'name' || name === 'email' || name === 'logo')) continue;
      const read = v.parse(Read, { ...RECORD, [name]: bad });
      expect(read, `${name} ${String(bad)}`).toEqual({ ...RECORD, [name]: Reflect.get(NOTHING, name) });
    }
  }
});
