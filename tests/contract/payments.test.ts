import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { CreatedOrderSchema } from '#api/schema/order.ts';
import { PaymentFieldsSchema, PaymentResponseSchema } from '#api/schema/payment.ts';
import { paymentStep } from '#domain/payment.ts';
import { validatePaymentForm } from '#domain/payment-form.ts';
import { initialValues, submittedFields } from '#domain/payment-values.ts';
import { backend, type Need, shapeOf } from './support/backend.ts';

/** A customer with an order that can be paid, and the form to pay it. */
async function payer(...needs: readonly Need[]) {
  const api = await backend(...needs);
  const { token } = await api.customer();
  const orderId = v.parse(CreatedOrderSchema, (await api.order(token)).json).id;
  const form = v.parse(PaymentFieldsSchema, (await api.request('/payments/fields', { token })).json);
  const opened = submittedFields(form, initialValues(form));
  const pay = (fields: unknown = opened, by = token, order = orderId) =>
    api.request('/payments', { token: by, json: { fields, orderId: order } });
  return { api, token, orderId, form, pay };
}

describe('GET /payments/fields', () => {
  it('[spec 7.payments.1] returns a valid form, whose fields have unique names', async () => {
    const { api, token, form } = await payer();
    expect((await api.request('/payments/fields', { token })).status).toBe(200);
    expect(new Set(form.map(({ name }) => name)).size).toBe(form.length);
  });
});

describe('POST /payments', () => {
  it('[spec 7.payments.3] pays with the form’s defaults, by each option of its first field', async () => {
    const { form, pay, api } = await payer();
    const [first] = form;
    const kinds: string[] = [];
    for (const choice of first?.options?.length ? first.options : [undefined]) {
      const values = initialValues(form);
      if (first && choice !== undefined) values.set(first.name, choice);
      expect([...validatePaymentForm(form, values)]).toEqual([]);
      const { json } = await pay(submittedFields(form, values));
      const answer = v.parse(PaymentResponseSchema, json);
      expect(answer).toMatchObject({ success: true });
      kinds.push(paymentStep(answer, { local: true }).kind);
    }
    if (api.hooks.ownWords) expect(kinds).toEqual(['qr', 'open-app', 'post']);
    for (const kind of kinds) expect(kind).not.toBe('failed');
  });

  it.each([{ fields: 'x' }, { fields: { method: 7 } }, { fields: { method: 'x'.repeat(2_001) } }, {}])(
    'the body %j is a 422',
    async (body) => {
      const { api, token, orderId } = await payer();
      expect((await api.request('/payments', { token, json: { orderId, ...body } })).status).toBe(422);
    },
  );

  it('another customer’s order and an unknown one get the same 404', async () => {
    const { api, pay, orderId } = await payer();
    const stranger = await api.customer();
    const foreign = await pay(undefined, stranger.token, orderId);
    const unknown = await pay(undefined, stranger.token, 'unknown');
    const error = api.expectedError('Order not found or access denied');
    expect([foreign.status, foreign.json]).toEqual([404, { error }]);
    expect(shapeOf(unknown)).toEqual(shapeOf(foreign));
  });

  // What is still to pay decides about the others.
  it.each([4])('an order of status %i is refused with an error text', async (status) => {
    const { api, pay, orderId } = await payer('setStatus');
    await api.hooks.setStatus?.(orderId, status);
    const { json } = await pay();
    expect(json).toEqual({ success: false, error: expect.any(String) });
  });
});
