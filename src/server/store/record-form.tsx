import type { ReactNode } from 'react';
import * as v from 'valibot';
import { cropOf, HERO_RATIO } from '#domain/picture.ts';
import { readRupees } from '#domain/rupees-input.ts';
import { type Leaf, type LeafField, recordFrom, storeLeaves, valueAt } from '#domain/store-fields.ts';
import { tidyCode } from '#domain/text.ts';
import type { Field, Values } from '#server/admin/forms/field.ts';
import { defineForm } from '#server/admin/forms/parse.ts';
import { OptionalRupeesTextSchema, rupeesText } from '#server/admin/forms/prices.ts';
import { picturesField } from '#server/admin/forms/record-editor.tsx';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { ADMIN } from '#server/admin/paths.ts';
import { isRemote } from '#server/http/names.ts';
import { sendSmallPicture } from '#server/pictures/show-image.ts';
import type { Services } from '#server/services/services.ts';
import { labelOf } from './fields.ts';
import { isRequired, leafSchema } from './schema.ts';

const CHARGE_ERROR = 'must have lines such as 4110 25: first digits of PIN codes, and rupees';

const PATH = '/store/phone-part';
/** In px. */
const WIDTH = 240;

/** A typed percentage. Any other text is the middle. */
const PercentSchema = v.fallback(
  v.pipe(v.string(), v.regex(/^\d{1,3}$/), v.transform(Number), v.maxValue(100)),
  50,
);

function showPart(context: AdminContext, services: Services): Promise<Response> {
  const { name = '', x, y } = context.req.query();
  const focus = { x: v.parse(PercentSchema, x), y: v.parse(PercentSchema, y) };
  return sendSmallPicture(context, services, name, `phone-${focus.x}-${focus.y}`, async (picture) =>
    picture.extract(cropOf(await picture.metadata(), HERO_RATIO.phone, focus)).resize({ width: WIDTH }),
  );
}

/** Shows the crop of the home page's picture on phones, by the values of the Store form. */
export function phonePart(values: Values): ReactNode {
  const name = String(values['hero.picture'] ?? '');
  if (name === '' || isRemote(name)) return null;
  const query = new URLSearchParams({
    name,
    x: String(values['hero.focusX']),
    y: String(values['hero.focusY']),
  });
  const height = Math.round(WIDTH / HERO_RATIO.phone);
  return (
    <>
      <p>What phones show of the picture of the home page:</p>
      <p>
        <img
          src={`${ADMIN}${PATH}?${query.toString()}`}
          alt="The part for phones"
          width={WIDTH}
          height={height}
        />
      </p>
    </>
  );
}

export const PHONE_PART_PAGE: AdminPage = { method: 'GET', path: PATH, access: 'store', handle: showPart };

/** The field of a form in which a value is typed. */
export function formFieldOf(field: LeafField, shared: Pick<Field, 'label' | 'hint' | 'isOptional'>): Field {
  switch (field.kind) {
    case 'text':
      if (field.format === 'textarea') return { ...shared, control: 'textarea', rows: 3 };
      return { ...shared, control: field.format === 'https' ? 'url' : (field.format ?? 'text') };
    case 'money':
      return { ...shared, control: 'text', inputmode: 'decimal' };
    case 'whole':
      return { ...shared, control: 'number', inputmode: 'numeric' };
    case 'digits':
    case 'charges':
      return { ...shared, control: 'lines', rows: 3 };
    case 'picture':
      return picturesField(shared.label, 1);
  }
}

const CHARGES = v.array(v.object({ digits: v.string(), charge: v.number() }));

/** A line such as '4110 25', '4110: ₹25' or '411 001 25'. */
const ChargeLineSchema = v.pipe(
  v.string(),
  v.maxLength(60, CHARGE_ERROR),
  v.transform((line) => {
    const [, digits = '', rupees = ''] =
      /^(\d{3}[ -]\d{3}(?=[ :;,=-]+[^ :;,=-])|\d+)[\s:;,=-]+([^\s:;,=-].*)$/.exec(tidyCode(line)) ?? [];
    return { digits, charge: readRupees(rupees) };
  }),
  v.check(({ digits, charge }) => digits !== '' && charge !== undefined, CHARGE_ERROR),
);

/** Returns the text of the form’s field for a value. */
export function textOf({ name, field }: Leaf, record: unknown): string {
  const value = valueAt(record, name);
  if (field.kind === 'money') return rupeesText(typeof value === 'number' ? value : null);
  if (v.is(CHARGES, value))
    return value.map(({ digits, charge }) => `${digits} ${rupeesText(charge)}`).join('\n');
  return Array.isArray(value) ? value.join('\n') : String(value ?? '');
}

const leaves = storeLeaves();

export function schemaOf({ name, field }: Leaf) {
  if (field.kind === 'money') return OptionalRupeesTextSchema;
  const schema = leafSchema(name, field);
  return field.kind === 'charges'
    ? v.pipe(
        v.array(ChargeLineSchema),
        v.transform((places): unknown => places),
        schema,
      )
    : schema;
}

/** The form of the store record, whose fields are its leaves. */
export const storeForm = defineForm(
  v.object(Object.fromEntries(leaves.map((leaf) => [leaf.name, schemaOf(leaf)]))),
  Object.fromEntries(
    leaves.map(({ name, field }) => [
      name,
      formFieldOf(field, { ...labelOf(name), isOptional: !isRequired(name) }),
    ]),
  ),
);

/** Returns a record's values as texts by name, for the form, its version and the log. */
export const storeTexts = (record: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(leaves.map((leaf) => [leaf.name, textOf(leaf, record)]));

/** Returns the record of a valid form. */
export const storeFrom = (values: Readonly<Record<string, unknown>>) =>
  recordFrom(({ name }) => values[name]);
