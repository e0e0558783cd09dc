import * as v from 'valibot';
import type { Typed } from '#scripts/api/office/forms/field.ts';
import { defineForm } from '#scripts/api/office/forms/parse.ts';
import type { Conflict } from '#scripts/api/office/views/pieces.ts';
import { PICTURE_TYPES } from '#scripts/api/pictures/upload.ts';
import type { StoreRecord } from './edit-store.ts';
import { StoreRecordSchema } from './schema.ts';

const { companyLogoUrl: _logo, ...texts } = StoreRecordSchema.entries;

/** The values of the record that a form carries. All have a text field, but the logo. */
const NAMES = [
  'storeName',
  'companyName',
  'companyAddress',
  'companyEmail',
  'companyPhone',
  'description',
  'companyLogoUrl',
] as const satisfies readonly (keyof StoreRecord)[];

export const recordForm = defineForm(
  v.object({ ...texts, logo: v.optional(v.file()), hasNoLogo: v.boolean() }),
  {
    storeName: { label: 'Name of the shop', hint: 'At the top of every page.', control: 'text' },
    companyName: {
      label: 'Company',
      hint: 'Who sells: at the foot of every page and in the policies.',
      control: 'text',
    },
    companyAddress: { label: 'Address', control: 'text' },
    companyEmail: { label: 'Email for customers', control: 'email' },
    companyPhone: { label: 'Phone for customers', control: 'tel', hint: 'Such as +91 98765 43210.' },
    description: {
      label: 'Description',
      hint: 'One sentence about the shop, for search engines.',
      control: 'textarea',
      rows: 3,
      isOptional: true,
    },
    logo: {
      label: 'New logo',
      hint: 'JPEG, PNG, WebP or AVIF, at most 15 MB.',
      control: 'file',
      accept: PICTURE_TYPES,
      isOptional: true,
    },
    hasNoLogo: { label: 'Show no logo', control: 'checkbox' },
  },
);

export const typedOf = (record: StoreRecord): Typed =>
  Object.fromEntries(NAMES.map((name) => [name, record[name]]));

/** The record as the editor's page showed it. The form carries it, so that a conflict shows who changed what. */
export const seenOf = (record: StoreRecord): string => JSON.stringify(typedOf(record));

const SeenSchema = v.fallback(
  v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string())),
  (): Record<string, string> => ({}),
);

/** What the form holds after somebody else has saved: the editor's own changes, and the stored value of everything else. */
export function afterOthers(typed: Typed, seen: unknown, stored: StoreRecord): Typed {
  const before = v.parse(SeenSchema, seen);
  const values = NAMES.map((name) => [
    name,
    typed[name] === before[name] ? stored[name] : (typed[name] ?? ''),
  ]);
  return { ...typed, ...Object.fromEntries(values) };
}

export const conflictsOf = (typed: Typed, stored: StoreRecord): Conflict[] =>
  NAMES.filter((name) => typed[name] !== stored[name]).map((name) => ({
    label: name === 'companyLogoUrl' ? 'Logo' : recordForm.fields[name].label,
    yours: String(typed[name] ?? ''),
    now: stored[name],
  }));
