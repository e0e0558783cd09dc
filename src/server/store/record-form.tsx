import type { ReactNode } from 'react';
import * as v from 'valibot';
import { cropOf, HERO_RATIO } from '#domain/picture.ts';
import { type Leaf, leavesOf, recordFrom, type StoreTable, valueAt } from '#domain/store-fields.ts';
import type { Field, Typed } from '#server/admin/forms/field.ts';
import { defineForm } from '#server/admin/forms/parse.ts';
import { OptionalRupeesTextSchema, rupeesText } from '#server/admin/forms/prices.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { ADMIN } from '#server/admin/paths.ts';
import { isRemote } from '#server/http/names.ts';
import type { Services } from '#server/services/services.ts';
import { type FieldWords, type Words, wordsOf } from './fields.ts';
import { picturesField, SinglePictureSchema } from './record-editor.tsx';
import { leafSchema } from './schema.ts';
import { sendSmallPicture } from './small-picture.ts';

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
export function phonePart(typed: Typed): ReactNode {
  const name = String(typed['hero.picture'] ?? '');
  if (name === '' || isRemote(name)) return null;
  const query = new URLSearchParams({
    name,
    x: String(typed['hero.focusX']),
    y: String(typed['hero.focusY']),
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

/** Returns the form field of a value, and its schema. */
function formFieldOf(
  { field }: Leaf,
  words: FieldWords,
): readonly [v.GenericSchema<unknown, unknown>, Field] {
  const { label, hint, control = 'text', isRequired = false } = words;
  const about = { label, ...(hint === undefined ? {} : { hint }), isOptional: !isRequired };
  const schema = leafSchema(field, words);
  switch (field.kind) {
    case 'text':
      return [schema, control === 'textarea' ? { ...about, control, rows: 3 } : { ...about, control }];
    case 'money':
      return [OptionalRupeesTextSchema, { ...about, control: 'text', inputmode: 'decimal' }];
    case 'whole':
      return [schema, { ...about, control: 'number', inputmode: 'numeric' }];
    case 'lines':
      return [schema, { ...about, control: 'lines', rows: 3 }];
    case 'picture':
      return [SinglePictureSchema, picturesField(label, 1)];
  }
}

function textOf({ field }: Leaf, value: unknown): string {
  if (field.kind === 'money') return rupeesText(typeof value === 'number' ? value : null);
  return Array.isArray(value) ? value.join('\n') : String(value ?? '');
}

/** Returns the form for a table of fields, and the conversions between record and form. */
export function recordFormOf(table: StoreTable, words: Words) {
  const leaves = leavesOf(table);
  const fields = leaves.map(({ name, field }) => {
    const [schema, formField] = formFieldOf({ name, field }, wordsOf(words, name));
    return { name, schema, formField };
  });
  return {
    ...defineForm(
      v.object(Object.fromEntries(fields.map(({ name, schema }) => [name, schema]))),
      Object.fromEntries(fields.map(({ name, formField }) => [name, formField])),
    ),
    /** Returns a record's values as texts by name, for the form, its version and the log. */
    textsOf: (record: unknown): Record<string, string> =>
      Object.fromEntries(leaves.map((leaf) => [leaf.name, textOf(leaf, valueAt(record, leaf.name))])),
    recordOf: (values: Readonly<Record<string, unknown>>) => recordFrom(table, ({ name }) => values[name]),
  };
}
