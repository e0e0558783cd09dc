import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import * as CURRENCY from '#domain/currency.ts';
import { plainAmount } from '#domain/money.ts';
import { PAID_ORDER } from '#domain/order-status.ts';
import { PAYMENT_VALID_MS } from '#domain/payment.ts';
import { PaymentFieldsSchema, PaymentResponseSchema } from '#scripts/api/payments/schema.ts';
import { ORDER_TOTAL } from '#tests/api/support/api.ts';
import { METHODS, shopper } from '#tests/api/support/payments.ts';

describe('GET /payments/fields', () => {
  it('needs one choice only, and asks for a GSTIN from who wants an invoice', async () => {
    const { ask, token } = await shopper();
    const { fields } = v.parse(PaymentFieldsSchema, (await ask('/payments/fields', { token })).json);
    const always = fields.filter(({ showWhenFilled = [] }) => showWhenFilled.length === 0);
    expect(always.filter(({ rules }) => rules?.required)).toMatchObject([
      { name: 'method', defaultValue: METHODS.qr },
    ]);
    expect(fields.find(({ name }) => name === 'gstin')).toMatchObject({ showWhenFilled: ['business'] });
  });
});

describe('POST /payments', () => {
  it('[spec 7.payments.3] UPI QR answers a upi:// text with payee, exact amount and reference', async () => {
    const { pay } = await shopper();
    const answer = v.parse(PaymentResponseSchema, await pay(METHODS.qr));
    expect(answer).toMatchObject({ success: true, action: { type: 'qr' } });
    const { protocol, host, searchParams } = new URL(answer.action?.qr ?? '');
    expect([protocol, host]).toEqual(['upi:', 'pay']);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      pn: 'Fresh Fruits',
      am: plainAmount(ORDER_TOTAL),
      cu: CURRENCY.code,
      tr: expect.stringMatching(/^FF[\dA-F]{30}$/),
    });
  });

  it.each([
    [{}, 'Choose how to pay'],
    [{ method: 'Cash' }, 'Choose one of the ways to pay.'],
    [{ method: '__proto__' }, 'Choose one of the ways to pay.'],
    [{ method: METHODS.qr, business: 'true', gstin: '1' }, 'A GSTIN has 15 characters'],
    [
      { method: METHODS.qr, business: 'true', gstin: '00ABCDE1234F1Q5' },
      'Check the GSTIN, such as 27ABCDE1234F1Z5',
    ],
    [{ method: METHODS.qr, note: 'x'.repeat(201) }, 'Use no more than 200 characters'],
    [
      { method: METHODS.qr, note: 'Ring\u202etwice' },
      'The note to the courier has characters that cannot be printed.',
    ],
  ])('%j is refused with the rule’s text, and starts nothing', async (fields, error) => {
    const { submit, states } = await shopper();
    expect((await submit(fields)).json).toEqual({ success: false, error });
    expect(await states()).toEqual([]);
  });

  it('hidden fields are not validated', async () => {
    const { submit } = await shopper();
    const fields = { method: METHODS.qr, gstin: 'x', business: 'false' };
    expect((await submit(fields)).json).toMatchObject({ success: true });
  });

  it('[fault 75] the same way of paying again is the same payment', async () => {
    const { qrReference, pay, states } = await shopper();
    expect(await qrReference()).toBe(await qrReference());
    await pay(METHODS.app);
    expect(await states()).toHaveLength(2);
  });

  it('after its time a further try is a new payment of the same order, and only one is captured', async () => {
    const { qrReference, report, status, states, pass } = await shopper();
    const first = await qrReference();
    pass(PAYMENT_VALID_MS + 1);
    const second = await qrReference();
    expect(second).not.toBe(first);
    await report(second);
    await report(first);
    expect(await status()).toBe(PAID_ORDER);
    expect((await states()).map(({ state }) => state).sort()).toEqual(['paid', 'refund_due']);
  });

  it('[fault 70, 72] nothing of what is asked is logged but the sandbox’s page', async () => {
    const { submit, lines, order } = await shopper();
    await submit({ method: METHODS.qr, updates: 'true', updatesEmail: 'asha@example.com' });
    const log = JSON.stringify(lines);
    expect(log).toContain('/gateway/upi?tr=FF');
    expect(log).not.toContain('asha@example.com');
    expect(log).not.toContain(order.id);
  });
});
