import type { PaymentResponse } from '#domain/payment.ts';
import type { PaymentField } from '#domain/payment-form.ts';
import { ADDRESSES } from './addresses.ts';
import { type Call, call } from './client.ts';
import type { Result } from './failure.ts';
import { PaymentFieldsSchema, PaymentResponseSchema } from './schema/payment.ts';

/** GET /payments/fields. */
export const fetchPaymentFields = (options: Pick<Call, 'signal'> = {}): Promise<Result<PaymentField[]>> =>
  call(PaymentFieldsSchema, ADDRESSES.paymentFields, options);

/** POST /payments. Never retried. */
export const submitPayment = (
  orderId: string,
  fields: Readonly<Record<string, string>>,
): Promise<Result<PaymentResponse>> =>
  call(PaymentResponseSchema, 'payments', { method: 'post', json: { fields, orderId } });
