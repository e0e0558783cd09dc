import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { STATUS } from '#domain/order.ts';
import { PAYMENT_VALID_MS } from '#domain/payment.ts';
import { FIELD_TYPES } from '#domain/payment-form.ts';
import { callbackRequest } from '#scripts/api/gateway/callback.ts';
import { OrderSchema } from '#scripts/api/schema/orders.ts';
import { PaymentFieldsSchema, PaymentResponseSchema } from '#scripts/api/schema/payments.ts';
import { MANGO, SITE, testApi } from './support/api.ts';
import { anyRow, countRow } from './support/rows.ts';

const SECRET = 'a secret of the gateway for tests';
const METHODS = { qr: 'UPI QR', app: 'UPI app', card: 'Card or net banking' };

const QrAction = v.object({ action: v.object({ type: v.literal('qr'), qr: v.string() }) });
const CardAction = v.object({
  action: v.object({
    type: v.literal('redirect_post'),
    redirectUrl: v.string(),
    formParams: v.object({
      type: v.string(),
      url: v.string(),
      data: v.looseObject({ reference: v.string() }),
    }),
  }),
});

/** A customer with a Pending order of ₹1,798, and ways to pay it. */
async function shopper() {
  const api = await testApi({ settings: { gatewaySecret: SECRET } });
  const { token } = await api.customer();
  const order = v.parse(OrderSchema, (await api.order(token, { [MANGO]: 2 })).json);

  const submit = (
    fields: Record<string, unknown>,
    headers: Record<string, string> = {},
    orderId = order.id,
  ) => api.ask('/payments', { token, json: { fields, orderId }, headers });
  const pay = async (method: string, headers: Record<string, string> = {}) =>
    (await submit({ method }, headers)).json;
  async function qrReference(): Promise<string> {
    const { action } = v.parse(QrAction, await pay(METHODS.qr));
    return new URL(action.qr).searchParams.get('tr') ?? '';
  }
  async function status(): Promise<number | undefined> {
    const { json } = await api.ask('/orders', { token });
    return v.parse(v.object({ data: v.array(OrderSchema) }), json).data.find(({ id }) => id === order.id)
      ?.status;
  }
  /** A report as the gateway signs it. */
  function report(
    reference: string,
    more: Partial<{
      outcome: 'succeeded' | 'failed';
      amount: string;
      currency: string;
      secret: string;
      age: number;
    }> = {},
  ) {
    const { outcome = 'succeeded', amount = '1798.00', currency = 'INR', secret = SECRET, age = 0 } = more;
    const seconds = Math.floor(api.now() / 1_000) - age;
    const { headers, body } = callbackRequest(secret, { reference, outcome, amount, currency }, seconds);
    return api.ask('/payments/callback', {
      body: String(body),
      headers: v.parse(v.record(v.string(), v.string()), headers),
    });
  }
  const states = () =>
    api.db.all(v.object({ state: v.string() }), 'SELECT state FROM payments ORDER BY created_at, reference');
  const setStatus = (to: number) => api.db.write(() => api.db.run('UPDATE orders SET status = ?', to));
  return { ...api, token, order, submit, pay, qrReference, status, report, states, setStatus };
}

describe('GET /payments/fields', () => {
  it('has every type and every trait, and needs one choice only', async () => {
    const { ask, token } = await shopper();
    const { fields } = v.parse(PaymentFieldsSchema, (await ask('/payments/fields', { token })).json);
    expect(new Set(fields.map(({ type }) => type))).toEqual(new Set(FIELD_TYPES));
    const traits = ['showWhenFilled', 'rulesMessages', 'options'] as const;
    for (const trait of traits) expect(fields.some((field) => (field[trait] ?? []).length > 0)).toBe(true);
    expect(fields.some(({ inline }) => inline)).toBe(true);
    expect(fields.some(({ mask }) => mask)).toBe(true);
    const always = fields.filter(({ showWhenFilled = [] }) => showWhenFilled.length === 0);
    expect(always.filter(({ rules }) => rules?.required)).toMatchObject([
      { name: 'method', defaultValue: METHODS.qr },
    ]);
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
      am: '1798.00',
      cu: 'INR',
      tr: expect.stringMatching(/^FF[\dA-F]{30}$/),
    });
  });

  it('UPI app answers a deep link', async () => {
    const { pay } = await shopper();
    expect(await pay(METHODS.app)).toMatchObject({
      success: true,
      action: { type: 'deeplink', redirectUrl: expect.stringMatching(/^upi:\/\/pay\?pa=/) },
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
    [{ method: METHODS.qr, updates: 'true' }, 'Enter the email for the receipt'],
    [{ method: METHODS.qr, handover: 'true', handoverPin: 'abcd' }, 'Use digits only'],
  ])('%j is refused with the rule’s text, and starts nothing', async (fields, error) => {
    const { submit, states } = await shopper();
    expect((await submit(fields)).json).toEqual({ success: false, error });
    expect(states()).toEqual([]);
  });

  it('hidden fields are not validated', async () => {
    const { submit } = await shopper();
    const fields = { method: METHODS.qr, gstin: 'x', handover: 'false', handoverPin: 'y' };
    expect((await submit(fields)).json).toMatchObject({ success: true });
  });

  it.each([{ fields: 'x' }, { fields: { method: 7 } }, { fields: { method: 'x'.repeat(2_001) } }, {}])(
    'the body %j is a 422',
    async (body) => {
      const { ask, token, order } = await shopper();
      expect((await ask('/payments', { token, json: { orderId: order.id, ...body } })).status).toBe(422);
    },
  );

  it('[fault 70] another’s order and an unknown one get the same 404', async () => {
    const { ask, customer, order } = await shopper();
    const stranger = await customer();
    const pay = (orderId: string) =>
      ask('/payments', { token: stranger.token, json: { fields: { method: METHODS.qr }, orderId } });
    const [foreign, unknown] = [await pay(order.id), await pay('unknown')];
    expect([foreign.status, foreign.text]).toEqual([404, '{"error":"Order not found or access denied"}']);
    expect([unknown.status, unknown.text, [...unknown.headers]]).toEqual([
      404,
      foreign.text,
      [...foreign.headers],
    ]);
  });

  it.each([
    [1, 'This order is already paid.'],
    [2, 'This order is already paid and on its way.'],
    [3, 'This order is already paid and delivered.'],
    [4, 'This order was cancelled and cannot be paid.'],
  ])('[fault 76] an order of status %i is refused with a text', async (status, error) => {
    const { pay, setStatus, states } = await shopper();
    await setStatus(status);
    expect(await pay(METHODS.qr)).toEqual({ success: false, error });
    expect(states()).toEqual([]);
  });

  it('[fault 75] the same way of paying again is the same payment', async () => {
    const { qrReference, pay, states } = await shopper();
    expect(await qrReference()).toBe(await qrReference());
    await pay(METHODS.app);
    expect(states()).toHaveLength(2);
  });

  it('after its time a further try is a new payment of the same order, and only one is captured', async () => {
    const { qrReference, report, status, states, pass } = await shopper();
    const first = await qrReference();
    pass(PAYMENT_VALID_MS + 1);
    const second = await qrReference();
    expect(second).not.toBe(first);
    await report(second);
    await report(first);
    expect(await status()).toBe(STATUS.processing);
    expect(
      states()
        .map(({ state }) => state)
        .sort(),
    ).toEqual(['paid', 'refund_due']);
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

describe('the gateway’s callback', () => {
  it('[spec 7.payments.4] [fault 77] paid turns Pending into Processing; 100 replays change nothing more', async () => {
    const { qrReference, report, status, lines, states } = await shopper();
    const reference = await qrReference();
    for (let replay = 0; replay < 100; replay += 1) expect((await report(reference)).status).toBe(200);
    expect([await status(), states()]).toEqual([1, [{ state: 'paid' }]]);
    expect(lines.filter(({ event }) => event === 'payment changed')).toHaveLength(1);
  });

  it('[fault 77] a missing or wrong signature is a 401 and changes nothing', async () => {
    const { ask, qrReference, report, status, now } = await shopper();
    const reference = await qrReference();
    const body = JSON.stringify({ reference, outcome: 'succeeded', amount: '1798.00', currency: 'INR' });
    const seconds = String(Math.floor(now() / 1_000));
    const json = { 'Content-Type': 'application/json' };
    for (const headers of [
      json,
      { ...json, 'Gateway-Timestamp': seconds },
      { ...json, 'Gateway-Timestamp': seconds, 'Gateway-Signature': '' },
      { ...json, 'Gateway-Timestamp': seconds, 'Gateway-Signature': '0'.repeat(64) },
      { ...json, 'Gateway-Timestamp': 'now', 'Gateway-Signature': '0'.repeat(64) },
    ]) {
      expect((await ask('/payments/callback', { body, headers })).status).toBe(401);
    }
    expect((await report(reference, { secret: 'another secret' })).status).toBe(401);
    expect(await status()).toBe(0);
  });

  it('[fault 77] a changed body or time is a 401', async () => {
    const { ask, qrReference, status, now } = await shopper();
    const reference = await qrReference();
    const seconds = Math.floor(now() / 1_000);
    const signed = callbackRequest(
      SECRET,
      { reference, outcome: 'failed', amount: '1798.00', currency: 'INR' },
      seconds,
    );
    const headers = v.parse(v.record(v.string(), v.string()), signed.headers);
    const changed = String(signed.body).replace('failed', 'succeeded');
    expect((await ask('/payments/callback', { body: changed, headers })).status).toBe(401);
    const later = { ...headers, 'Gateway-Timestamp': String(seconds + 1) };
    expect((await ask('/payments/callback', { body: String(signed.body), headers: later })).status).toBe(401);
    expect(await status()).toBe(0);
  });

  it('[fault 77] older than 300 s, or from the future, is a 400', async () => {
    const { qrReference, report, status } = await shopper();
    const reference = await qrReference();
    expect((await report(reference, { age: 301 })).status).toBe(400);
    expect((await report(reference, { age: -301 })).status).toBe(400);
    expect(await status()).toBe(0);
    expect((await report(reference, { age: 300 })).status).toBe(200);
    expect(await status()).toBe(1);
  });

  it.each([{ amount: '1797.99' }, { amount: '1798.01' }, { amount: '17.98' }, { currency: 'USD' }])(
    '[fault 77] %j is flagged, not paid, and stays so',
    async (wrong) => {
      const { qrReference, report, status, states, lines } = await shopper();
      const reference = await qrReference();
      expect((await report(reference, wrong)).status).toBe(200);
      expect([await status(), states()]).toEqual([0, [{ state: 'flagged' }]]);
      expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', event: 'payment changed' }));
      await report(reference);
      expect([await status(), states()]).toEqual([0, [{ state: 'flagged' }]]);
    },
  );

  it('[fault 77] failed, then a late success, is paid; a late failure changes nothing', async () => {
    const { qrReference, report, status, states } = await shopper();
    const reference = await qrReference();
    await report(reference, { outcome: 'failed' });
    expect([await status(), states()]).toEqual([0, [{ state: 'failed' }]]);
    await report(reference);
    await report(reference, { outcome: 'failed' });
    expect([await status(), states()]).toEqual([1, [{ state: 'paid' }]]);
  });

  it('[fault 77] an unknown reference is a 200, and logged', async () => {
    const { report, lines } = await shopper();
    expect((await report('FFUNKNOWN')).status).toBe(200);
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'warn', event: 'payment report for an unknown reference' }),
    );
  });

  it('[fault 76] paid in two tabs at once is captured once, the other is owed back', async () => {
    const { qrReference, pay, report, status, states } = await shopper();
    const first = await qrReference();
    const { action } = v.parse(CardAction, await pay(METHODS.card));
    await Promise.all([report(first), report(action.formParams.data.reference)]);
    expect(await status()).toBe(1);
    expect(
      states()
        .map(({ state }) => state)
        .sort(),
    ).toEqual(['paid', 'refund_due']);
  });

  it.each([
    [4, 'refund_due'],
    [2, 'refund_due'],
  ])('[fault 76] money for an order of status %i leaves it as it is', async (moved, state) => {
    const { qrReference, report, status, states, setStatus } = await shopper();
    const reference = await qrReference();
    await setStatus(moved);
    await report(reference);
    expect([await status(), states()]).toEqual([moved, [{ state }]]);
  });

  it.each(['{}', 'x', '{"reference":"r","outcome":"maybe","amount":"1.00","currency":"INR"}'])(
    'a signed body of %s is a 422',
    async (body) => {
      const { ask, now } = await shopper();
      const { sign } = await import('#scripts/api/gateway/signature.ts');
      const seconds = String(Math.floor(now() / 1_000));
      const headers = {
        'Content-Type': 'application/json',
        'Gateway-Timestamp': seconds,
        'Gateway-Signature': sign(SECRET, `${seconds}.${body}`),
      };
      expect((await ask('/payments/callback', { body, headers })).status).toBe(422);
    },
  );

  it('[fault 76] the database itself keeps a second capture out', async () => {
    const { qrReference, pay, db } = await shopper();
    await qrReference();
    await pay(METHODS.app);
    await expect(db.write(() => db.run("UPDATE payments SET state = 'paid'"))).rejects.toThrow(/UNIQUE/);
    expect(db.get(countRow, "SELECT count(*) AS count FROM payments WHERE state = 'paid'")).toEqual({
      count: 0,
    });
  });
});

describe('the gateway’s pages', () => {
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

  /** The fields that the page's form would post, but for the button. */
  const hidden = (html: string): URLSearchParams =>
    new URLSearchParams(
      [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
        ([, name = '', value = '']) => [
          name,
          value.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"'),
        ],
      ),
    );

  /** As the storefront posts it (spec 4): type, url and data[…]. */
  async function openGateway(
    shop: Awaited<ReturnType<typeof shopper>>,
    headers: Record<string, string> = {},
  ) {
    const { action } = v.parse(CardAction, await shop.pay(METHODS.card, headers));
    const { type, url, data } = action.formParams;
    const fields = new URLSearchParams({ type, url });
    for (const [name, value] of Object.entries(data)) fields.set(`data[${name}]`, String(value));
    const path = new URL(action.redirectUrl).pathname;
    return { fields, path, page: await shop.ask(path, { body: fields.toString(), headers: form }) };
  }

  async function decide(shop: Awaited<ReturnType<typeof shopper>>, html: string, outcome: string) {
    const fields = hidden(html);
    fields.set('outcome', outcome);
    return shop.ask('/gateway/pay/result', { body: fields.toString(), headers: form });
  }

  it('[resolutions 40] succeed pays the order and returns to /order-success of the shop it came from', async () => {
    const shop = await shopper();
    const { page } = await openGateway(shop, { Origin: 'http://127.0.0.1:4321' });
    expect(page.text).toContain('₹1,798');
    const answer = await decide(shop, page.text, 'succeeded');
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      'http://127.0.0.1:4321/order-success',
    ]);
    expect(await shop.status()).toBe(1);
  });

  it('[resolutions 40] fail leaves the order and returns to /payment, which says so; a later succeed pays', async () => {
    const shop = await shopper();
    const { page } = await openGateway(shop, { Origin: 'https://evil.example' });
    const answer = await decide(shop, page.text, 'failed');
    expect(answer.headers.get('location')).toBe(`${SITE}/payment?orderId=${shop.order.id}&result=failed`);
    expect(await shop.status()).toBe(0);
    await decide(shop, page.text, 'succeeded');
    expect(await shop.status()).toBe(1);
  });

  it('[fault 77] a form that was changed on its way is refused', async () => {
    const shop = await shopper();
    const { fields, path, page } = await openGateway(shop);
    for (const [name, value] of [
      ['data[amount]', '1.00'],
      ['data[successUrl]', 'https://evil.example'],
      ['data[signature]', ''],
    ] as const) {
      const changed = new URLSearchParams(fields);
      changed.set(name, value);
      expect((await shop.ask(path, { body: changed.toString(), headers: form })).status).toBe(400);
    }
    const cheap = page.text.replace('value="1798.00"', 'value="1.00"');
    expect((await decide(shop, cheap, 'succeeded')).status).toBe(400);
    expect(await shop.status()).toBe(0);
  });

  it('[fault 77] a shop that does not listen is told of as 502, never as paid', async () => {
    const api = await testApi({
      settings: { gatewaySecret: SECRET },
      callShop: () => Promise.reject(new Error('refused')),
    });
    const { token } = await api.customer();
    const { id } = v.parse(OrderSchema, (await api.order(token)).json);
    const answer = await api.ask('/payments', {
      token,
      json: { fields: { method: METHODS.card }, orderId: id },
    });
    const { data } = v.parse(CardAction, answer.json).action.formParams;
    const fields = new URLSearchParams({
      ...v.parse(v.record(v.string(), v.string()), data),
      outcome: 'succeeded',
    });
    expect((await api.ask('/gateway/pay/result', { body: fields.toString(), headers: form })).status).toBe(
      502,
    );
  });

  it('[fault 47] shows what it is given as text, under a policy that runs nothing', async () => {
    const shop = await shopper();
    const { page } = await openGateway(shop);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`form-action 'self' ${SITE}`);
    expect(page.text).not.toMatch(/<script|style=|onclick/);
  });

  it('the page of the pretended UPI app pays a QR by its reference', async () => {
    const shop = await shopper();
    const reference = await shop.qrReference();
    const page = await shop.ask(`/gateway/upi?tr=${reference}`);
    expect(page.text).toContain('₹1,798');
    const fields = hidden(page.text);
    fields.set('outcome', 'succeeded');
    const answer = await shop.ask('/gateway/upi/result', { body: fields.toString(), headers: form });
    expect([answer.status, await shop.status()]).toEqual([200, 1]);
    expect(answer.text).toContain('Payment made');
  });

  it('[fault 77] paying less than the link says is flagged', async () => {
    const shop = await shopper();
    const tr = await shop.qrReference();
    const body = new URLSearchParams({ tr, am: '1.00', cu: 'INR', outcome: 'succeeded' }).toString();
    await shop.ask('/gateway/upi/result', { body, headers: form });
    expect([await shop.status(), shop.states()]).toEqual([0, [{ state: 'flagged' }]]);
  });

  it('an unknown reference is a 404', async () => {
    const { ask } = await shopper();
    expect((await ask('/gateway/upi?tr=FFNONE')).status).toBe(404);
    expect((await ask('/gateway/upi')).status).toBe(404);
  });

  it('[fault 43] no payment form value is stored', async () => {
    const { submit, db } = await shopper();
    await submit({ method: METHODS.qr, handover: 'true', handoverPin: '482910' });
    expect(JSON.stringify(db.all(anyRow, 'SELECT * FROM payments'))).not.toContain('482910');
  });
});
