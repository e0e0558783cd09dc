import * as v from 'valibot';
import { orderIdIn } from '#domain/order-number.ts';
import { FIELD_TYPES } from '#domain/payment-form.ts';

const text = v.string();

const length = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)));

export const PaymentFieldsSchema = v.object({
  fields: v.array(
    v.object({
      name: text,
      label: text,
      type: v.picklist(FIELD_TYPES),
      placeholder: v.optional(text),
      description: v.optional(text),
      options: v.optional(v.array(text)),
      inline: v.optional(v.boolean()),
      mask: v.optional(text),
      rules: v.optional(
        v.object({
          required: v.optional(v.boolean()),
          minLength: length,
          maxLength: length,
          pattern: v.optional(text),
        }),
      ),
      rulesMessages: v.optional(v.array(text)),
      defaultValue: v.optional(text),
      showWhenFilled: v.optional(v.array(text)),
    }),
  ),
});

/** characters */
const MAX_VALUE = 2_000;

const MAX_FIELDS = 100;

export const PaymentRequestSchema = v.object({
  fields: v.pipe(
    v.record(
      v.string(),
      v.pipe(
        v.string('The payment form cannot be read.'),
        v.maxLength(MAX_VALUE, 'A value of the payment form is too long.'),
      ),
      'The payment form cannot be read.',
    ),
    v.maxEntries(MAX_FIELDS, 'The payment form has too many fields.'),
  ),
  orderId: v.pipe(
    v.string('Order ID is missing. Please return to checkout.'),
    v.nonEmpty('Order ID is missing. Please return to checkout.'),
    v.maxLength(300, 'There is no such order.'),
    v.transform((text) => orderIdIn(text) ?? text),
  ),
});

export const PaymentResponseSchema = v.object({
  success: v.boolean(),
  error: v.optional(text),
  target: v.optional(text),
  redirectUrl: v.optional(text),
  action: v.optional(
    v.object({
      type: v.picklist(['redirect_post', 'deeplink', 'qr']),
      redirectUrl: v.optional(text),
      formParams: v.optional(v.object({ type: text, url: text, data: v.record(text, text) })),
      qr: v.optional(text),
      qrBase64: v.optional(text),
    }),
  ),
});

export type PaymentResponse = v.InferOutput<typeof PaymentResponseSchema>;

/** What the payment page does next. */
export type Started = Pick<PaymentResponse, 'action' | 'redirectUrl'> & {
  /** The provider's own id of the payment, for polling. */
  readonly providerId?: string;
};
