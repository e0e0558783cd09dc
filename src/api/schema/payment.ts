import * as v from 'valibot';
import type { PaymentResponse } from '#domain/payment.ts';
import { FIELD_TYPES, type PaymentField } from '#domain/payment-form.ts';
import { listOf, scalar, text, textMap, unwrap } from './lenient.ts';

const FIELD_LIMIT = 100;
const OPTION_LIMIT = 500;

const limit = v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))), undefined);

const Rules = v.fallback(
  v.object({
    required: v.fallback(v.boolean(), false),
    minLength: limit,
    maxLength: limit,
    pattern: v.fallback(v.optional(v.pipe(v.string(), v.nonEmpty())), undefined),
  }),
  { required: false },
);

/** The server sends a text, a number or a boolean. The form holds texts. */
const DefaultValue = v.pipe(
  v.fallback(scalar, ''),
  v.transform((value) => value.slice(0, 10_000)),
);

const FieldSchema = v.pipe(
  v.object({
    name: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
    label: text(500),
    placeholder: text(500),
    description: text(2_000),
    type: v.fallback(v.picklist(FIELD_TYPES), 'text'),
    options: listOf(v.pipe(v.string(), v.maxLength(500)), OPTION_LIMIT),
    inline: v.fallback(v.boolean(), false),
    mask: text(100),
    rules: Rules,
    rulesMessages: listOf(text(500), 10),
    defaultValue: DefaultValue,
    showWhenFilled: v.fallback(
      v.union([
        v.pipe(
          v.string(),
          v.transform((name) => [name]),
        ),
        listOf(v.string(), FIELD_LIMIT),
      ]),
      [],
    ),
  }),
  v.transform((field) => ({ ...field, label: field.label || field.name }) satisfies PaymentField),
);

const firstOfEachName = <Field extends { name: string }>(fields: Field[]): Field[] =>
  fields.filter(({ name }, index) => fields.findIndex((other) => other.name === name) === index);

const asList = (value: unknown): unknown => {
  const bare = unwrap(value);
  return v.is(v.object({ fields: v.unknown() }), bare) ? bare.fields : bare;
};

/** GET /payments/fields: the first 100 fields of a list or {fields}. Anything else is an empty list. */
export const PaymentFieldsSchema = v.pipe(
  v.unknown(),
  v.transform(asList),
  listOf(FieldSchema, FIELD_LIMIT),
  v.transform(firstOfEachName),
);

const optionalText = v.fallback(v.optional(v.string()), undefined);

const ActionSchema = v.object({
  type: text(100),
  redirectUrl: optionalText,
  formParams: v.fallback(
    v.optional(v.object({ type: text(200), url: text(4_096), data: textMap(scalar, 500, 100_000) })),
    undefined,
  ),
  qr: optionalText,
  qrBase64: optionalText,
});

export const PaymentResponseSchema = v.pipe(
  v.unknown(),
  v.transform((value) => (v.is(v.object({ success: v.boolean() }), value) ? value : unwrap(value))),
  v.object({
    success: v.boolean(),
    error: optionalText,
    target: optionalText,
    redirectUrl: optionalText,
    action: v.fallback(v.optional(ActionSchema), undefined),
  }),
  v.transform((response): PaymentResponse => response),
);
