import * as v from 'valibot';
import { isPrice } from '#domain/money.ts';
import { isEmptyGroup, STORE_FIELDS, type StoreField, type StoreRecord } from '#domain/store-fields.ts';
import type { StoreInfo } from '#domain/store-info.ts';
import { safeImage } from '#domain/url.ts';
import { filled, line, listOf, text, textMap, unwrapped } from './lenient.ts';

const CATEGORY_LIMIT = 200;
const CATEGORY_BYTES = 1_500;
const MOVED_LIMIT = 500;
const POLICY_LIMIT = 20;
const POLICY_LENGTH = 200_000;

const orNull = (isGood: (value: unknown) => boolean) =>
  v.pipe(
    v.optional(v.unknown(), null),
    v.transform((value) => (isGood(value) ? value : null)),
  );

/** Reads each kind of field leniently: an invalid value counts as missing. */
function schemaOf(field: StoreField): v.GenericSchema {
  switch (field.kind) {
    case 'text':
      return text(field.max);
    case 'picture':
      return v.pipe(v.optional(v.unknown(), ''), v.transform(safeImage));
    case 'money':
      return orNull(isPrice);
    case 'whole':
      return orNull((value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= field.max);
    case 'digits':
      return listOf(filled(field.maxLength), field.max);
    case 'list': {
      const group = v.object(schemasOf(field.fields));
      return listOf(
        v.pipe(
          group,
          v.check((values) => !isEmptyGroup(values)),
        ),
        field.max,
      );
    }
    case 'group': {
      const group = v.object(schemasOf(field.fields));
      return v.fallback(group, v.parse(group, {}));
    }
  }
}

const schemasOf = (fields: Readonly<Record<string, StoreField>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)]));

/** The cast is needed: TypeScript cannot see that `schemaOf` returns the schema that fits the field's kind. */
const FIELDS = schemasOf(STORE_FIELDS) as {
  readonly [Name in keyof StoreRecord]: v.GenericSchema<unknown, StoreRecord[Name]>;
};

/** GET /storeInfo. Every field is optional, but the response must be an object. */
export const StoreInfoSchema = v.pipe(
  unwrapped(
    v.object({
      ...FIELDS,
      categories: listOf(v.pipe(v.string(), line(CATEGORY_BYTES), v.minLength(1)), CATEGORY_LIMIT),
      categoryImages: v.pipe(
        textMap(v.string(), CATEGORY_LIMIT, 2_048),
        v.transform((images) => new Map([...images].map(([name, url]) => [name, safeImage(url)]))),
      ),
      policies: textMap(v.string(), POLICY_LIMIT, POLICY_LENGTH),
      paymentProviders: listOf(v.object({ name: filled(100), receives: filled(300) }), 10),
      mailProvider: text(100),
      retention: listOf(
        v.object({
          what: filled(200),
          days: v.pipe(v.number(), v.integer(), v.minValue(0)),
          after: filled(100),
        }),
        30,
      ),
      moved: v.fallback(
        v.object({
          categories: textMap(v.string(), MOVED_LIMIT, CATEGORY_BYTES),
          products: textMap(v.string(), MOVED_LIMIT, 200),
        }),
        { categories: new Map(), products: new Map() },
      ),
    }),
  ),
  v.transform((store): StoreInfo => store),
);
