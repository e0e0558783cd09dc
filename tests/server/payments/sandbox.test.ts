import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { CapabilitiesSchema } from '#api/schema/capabilities.ts';
import * as CURRENCY from '#domain/currency.ts';
import { plainAmount } from '#domain/money.ts';
import { SANDBOX_ROUTES } from '#server/payments/providers/sandbox/gateway.tsx';
import { PaymentResponseSchema } from '#server/payments/schema.ts';
import { ORDER_TOTAL, SITE } from '#tests/server/support/api.ts';
import { CardAction, METHODS, shopper } from '#tests/server/support/payments.ts';
import { rowsOf } from '#tests/server/support/rows.ts';

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
    [{}, 'method', 'Choose how to pay'],
    [{ method: 'Cash' }, 'method', 'Choose one of the payment methods.'],
    [{ method: '__proto__' }, 'method', 'Choose one of the payment methods.'],
    [{ method: METHODS.qr, business: 'true' }, 'gstin', 'Enter the GSTIN'],
    [{ method: METHODS.qr, business: 'true', gstin: '1' }, 'gstin', 'A GSTIN has 15 characters'],
    [{ method: METHODS.qr, note: 'x'.repeat(201) }, 'note', 'Use no more than 200 characters'],
    [
      { method: METHODS.qr, note: 'Ring\u0007twice' },
      'note',
      'Note to the courier has characters that cannot be printed',
    ],
  ])(
    '%j is refused with the field and the rule’s text, and starts nothing',
    async (fields, target, error) => {
      const { submit, states } = await shopper();
      expect((await submit(fields)).json).toEqual({ success: false, error, target });
      expect(await states()).toEqual([]);
    },
  );

  it('logs nothing of the form but the sandbox’s page', async () => {
    const { submit, lines, order } = await shopper();
    await submit({ method: METHODS.qr, updates: 'true', updatesEmail: 'asha@example.com' });
    const log = JSON.stringify(lines);
    expect(log).toContain('/gateway/upi?tr=FF');
    expect(log).not.toContain('asha@example.com');
    expect(log).not.toContain(order.id);
  });
});

describe('how a payment ends at the gateway', () => {
  it('[spec 7.payments.4] paid turns Pending into Processing; 100 replays change nothing more', async () => {
    const { qrReference, report, status, lines, states, money } = await shopper();
    const reference = await qrReference();
    for (let replay = 0; replay < 100; replay += 1) expect((await report(reference)).status).toBe(200);
    expect([await status(), await states(), await money()]).toEqual([1, ['done'], ['paid']]);
    expect(lines.filter(({ event }) => event === 'payment changed')).toHaveLength(1);
  });

  it.each([
    ['an unknown reference', 'FFUNKNOWN', {}],
    ['an amount that cannot be read', undefined, { amount: '899' }],
    ['a currency of five emails', undefined, { currency: 'RUPEE' }],
  ])('%s is a 404, and pays nothing', async (_what, reference, wrong) => {
    const { qrReference, report, status } = await shopper();
    expect((await report(reference ?? (await qrReference()), wrong)).status).toBe(404);
    expect(await status()).toBe(0);
  });
});

describe('the gateway’s pages', () => {
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

  /** The fields that the page's form would post, but for the button. */
  const hidden = (html: string): URLSearchParams =>
    new URLSearchParams(
      [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"\/>/g)].map(
        ([, name = '', value = '']) => [
          name,
          value.replaceAll('&amp;', '&').replaceAll('&#x27;', "'").replaceAll('&quot;', '"'),
        ],
      ),
    );

  /** As the storefront posts it: type, url and data[…]. */
  async function openGateway(
    shop: Awaited<ReturnType<typeof shopper>>,
    headers: Record<string, string> = {},
  ) {
    const { action } = v.parse(CardAction, await shop.pay(METHODS.card, headers));
    const { type, url, data } = action.formParams;
    const fields = new URLSearchParams({ type, url });
    for (const [name, value] of Object.entries(data)) fields.set(`data[${name}]`, String(value));
    const path = new URL(action.redirectUrl).pathname;
    return { page: await shop.ask(path, { body: fields.toString(), headers: form }) };
  }

  /** Presses a button of the page. Returns where the shopper ends up. */
  async function decide(shop: Awaited<ReturnType<typeof shopper>>, html: string, outcome: string) {
    const fields = hidden(html);
    fields.set('outcome', outcome);
    const ended = await shop.ask('/gateway/pay/result', { body: fields.toString(), headers: form });
    const back = await shop.ask(new URL(ended.headers.get('location') ?? '').pathname);
    return back.headers.get('location');
  }

  it('a failed payment returns to /payment, and a later one succeeds', async () => {
    const shop = await shopper();
    const { page } = await openGateway(shop, { Origin: 'https://evil.example' });
    expect(await decide(shop, page.text, 'failed')).toBe(
      `${SITE}/payment?orderId=${shop.order.id}&result=failed`,
    );
    expect(await shop.status()).toBe(0);
    expect(await decide(shop, page.text, 'succeeded')).toBe(`${SITE}/order-success`);
    expect(await shop.status()).toBe(1);
  });

  it('escapes what it shows, under a policy that allows no scripts', async () => {
    const shop = await shopper();
    const { page } = await openGateway(shop);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`form-action 'self' ${SITE}`);
    expect(page.text).not.toMatch(/<script|style=|onclick/);
  });

  it('says in storeInfo whether payments are tests', async () => {
    const capabilities = async (paymentProviders: readonly string[]) =>
      v.parse(CapabilitiesSchema, (await (await shopper({ paymentProviders })).ask('/storeInfo')).json);
    expect(await capabilities(['sandbox'])).toContain('testPayments');
    expect(await capabilities(['cod'])).not.toContain('testPayments');
  });

  it('without the sandbox its pages answer 404 and nothing is paid', async () => {
    const shop = await shopper({ paymentProviders: [] });
    const { token } = shop;
    expect((await shop.ask('/payments/fields', { token })).json).toEqual({ fields: [] });
    for (const method of Object.values(METHODS)) {
      expect(await shop.pay(method)).toEqual({
        success: false,
        error: 'This shop takes no payments online at the moment.',
      });
    }
    expect(JSON.stringify(shop.lines)).not.toContain('gateway/upi');
    for (const { method, path } of SANDBOX_ROUTES) {
      expect((await shop.ask(path, method === 'POST' ? { body: '', headers: form } : {})).status).toBe(404);
    }
    expect([await shop.status(), await shop.states()]).toEqual([0, []]);
  });

  it('stores no value that the payment form does not contain', async () => {
    const { submit, db } = await shopper();
    await submit({ method: METHODS.qr, card: '482910', gstin: '27AAPFU0939F1ZV' });
    for (const table of ['payment_attempts', 'movements', 'orders', 'order_extras'])
      expect(JSON.stringify(await rowsOf(db, `SELECT * FROM ${table}`))).not.toMatch(/482910|27AAPFU/);
  });
});
