import * as v from 'valibot';
import { isPrice } from '#domain/money.ts';
import {
  isEmptyGroup,
  type RecordOf,
  STORE_FIELDS,
  type StoreField,
  type StoreTable,
} from '#domain/store-fields.ts';
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
      return text(field.most);
    case 'picture':
      return v.pipe(v.optional(v.unknown(), ''), v.transform(safeImage));
    case 'money':
      return orNull(isPrice);
    case 'whole':
      return orNull((value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= field.most);
    case 'lines':
      return listOf(filled(field.longest), field.most);
    case 'groups':
      return listOf(
        v.pipe(
          v.object(schemasOf(field.fields)),
          v.check((group) => !isEmptyGroup(group)),
        ),
        field.most,
      );
    case 'group': {
      const group = v.object(schemasOf(field.fields));
      return v.fallback(group, v.parse(group, {}));
    }
  }
}

type Schemas<Table> = {
  readonly [Name in keyof Table]: v.GenericSchema<unknown, RecordOf<Table>[Name]>;
};

/** The cast is needed: TypeScript cannot see that `schemaOf` returns the schema that fits the field's kind. */
export const schemasOf = <Table extends StoreTable>(table: Table): Schemas<Table> =>
  Object.fromEntries(Object.entries(table).map(([name, field]) => [name, schemaOf(field)])) as Schemas<Table>;

/** GET /storeInfo. Every field is optional, but the response must be an object. */
export const StoreInfoSchema = v.pipe(
  unwrapped(
    v.object({
      ...schemasOf(STORE_FIELDS),
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
