import fc from 'fast-check';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { StoreInfoSchema } from '#api/schema/store-info.ts';
import { formatPaise, toRupees } from '#domain/money.ts';
import { normalisePhone } from '#domain/phone.ts';
import { placeholderValues } from '#domain/policy.ts';
import { applyTransition } from '#server/fulfilment/apply-transition.ts';
import { ordersNeedingAttention } from '#server/payments/attention.ts';
import { failingProviders } from '#server/payments/provider-errors.ts';
import { DEADLINE } from '#server/payments/providers/call-provider.ts';
import { reconcile } from '#server/payments/reconcile.ts';
import { refundOrder } from '#server/payments/refund-order.ts';
import { PaymentFieldsSchema } from '#server/payments/schema.ts';
import { settlePayment } from '#server/payments/settle.ts';
import { MINUTE } from '#server/process/clock.ts';
import type { Settings } from '#server/settings/settings.ts';
import { ADDRESS, MANGO, ORDER_TOTAL } from '#tests/server/support/api.ts';
import { providerShop } from '#tests/server/support/provider-shop.ts';
import { firstValue, runSql } from '#tests/server/support/rows.ts';
import { UNLIMITED } from '#tests/support/api.ts';
import { startCashfree } from '#tests/support/providers/cashfree.ts';
import {
  type FakeDispute,
  type FakeFailure,
  type FakeProvider,
  UTR,
  type Webhook,
} from '#tests/support/providers/fake-provider.ts';
import { FAKES } from '#tests/support/providers/pages.ts';
import { startRazorpay } from '#tests/support/providers/razorpay.ts';

const PENDING = 0;
const PROCESSING = 1;
const CANCELLED = 4;

type Services = Awaited<ReturnType<typeof providerShop>>;

/** A shop with a provider of its own. */
async function shopAt(start: typeof startCashfree, settings: Partial<Settings> = {}) {
  const provider = await start();
  onTestFinished(provider.close);
  return providerShop(provider, settings);
}

const cancel = (shop: Services) =>
  shop.db.write((transaction) =>
    applyTransition(transaction, shop.services, { id: shop.order.id, transition: 'cancel' }, async () => {}),
  );

/** Pays an order twice, and lets the shop poll. Returns the references. */
async function paidTwice(shop: Services): Promise<string[]> {
  const first = await shop.begin();
  shop.pass(6 * MINUTE);
  const references = [first, await shop.begin()];
  for (const reference of references) shop.end(reference);
  shop.pass(60 * MINUTE);
  await shop.reconcile();
  return references;
}

/** Starts a payment, pays it, and lets the shop poll. Returns its reference. */
async function paid(shop: Services): Promise<string> {
  const reference = await shop.begin();
  shop.end(reference);
  shop.pass(2 * MINUTE);
  await shop.reconcile();
  return reference;
}

/** Refunds an amount of the newest order that has a payment. */
const refund = async (shop: Services, paise: number, more: { retryOf?: string } = {}) => {
  const orderNumber = Number(await firstValue(shop.db, 'SELECT max(order_number) FROM movements'));
  const book = { services: shop.services, orderNumber, recordedBy: 'owner@shop.example' };
  return shop.db.write((transaction) =>
    refundOrder({ transaction, ...book }, { paise, reason: 'test', ...more }),
  );
};

/** The refunds and disputes of the order, the oldest first. */
const taken = async (shop: Services) => (await shop.movements()).filter(({ kind }) => kind !== 'payment');

const BANK_REFERENCE = 'SELECT bank_reference FROM payment_attempts';

describe.each(Object.entries(FAKES))('%s', (_name, start) => {
  let provider: FakeProvider;
  beforeAll(async () => {
    provider = await start({});
  });
  afterAll(() => provider.close());
  beforeEach(() => {
    provider.refuse(undefined);
    provider.failWith(undefined);
    provider.setRefunds('done');
  });

  it('starts a payment by each of its methods once, without sending address or goods', async () => {
    const shop = await providerShop(provider);
    const before = provider.received.length;
    for (const method of await shop.methods()) {
      const known = provider.references().length;
      const answer = await shop.pay(method);
      expect(answer.success, method).toBe(true);
      expect(answer.redirectUrl ?? answer.action?.type, method).toBeTruthy();
      expect(await shop.pay(method), 'requested again').toEqual(answer);
      expect(provider.references(), method).toHaveLength(known + 1);
    }
    const sent = provider.received
      .slice(before)
      .map(({ body }) => body)
      .join();
    const store = v.parse(StoreInfoSchema, (await shop.ask('/storeInfo')).json);
    const policy = placeholderValues(store).paymentProviders ?? '';
    expect(policy.toLowerCase()).toContain(provider.name);
    const sendsPhone = sent.includes(normalisePhone(ADDRESS.phone));
    expect(policy.includes('your phone number'), 'the privacy policy').toBe(sendsPhone);
    const { fullName, address, city, postalCode } = ADDRESS;
    for (const secret of [fullName, address, city, postalCode, MANGO, 'Mango'])
      expect(sent).not.toContain(secret);
  });

  it('marks the order as paid once, however late, often and mixed up its webhooks arrive', async () => {
    const shop = await providerShop(provider);
    const reference = await shop.begin();
    const failed = shop.end(reference, { outcome: 'failed' });
    const paid = shop.end(reference);
    for (const webhook of [...paid, ...failed, ...paid.toReversed(), ...failed, ...paid])
      expect((await shop.send(webhook)).status).toBe(200);
    await shop.reconcile();
    expect(await shop.status()).toBe(PROCESSING);
    expect([await shop.states(), await shop.money()]).toEqual([['done'], ['paid']]);
    expect(await firstValue(shop.db, BANK_REFERENCE)).toBe(UTR);
  });

  /** How often the shop polled a payment meanwhile: for its state or, once its money came, for its refunds. */
  const pollsDuring = async (work: () => Promise<unknown>): Promise<number> => {
    const before = provider.received.length;
    await work();
    const asked = provider.received.slice(before);
    return asked.filter(({ path }) => /(?:\/(?:payment_links|orders|links)\/[^/]+|\/refunds)$/.test(path))
      .length;
  };

  it('polls a payment without a webhook after 2, 10 and 60 minutes and then daily', async () => {
    const shop = await providerShop(provider);
    const reference = await shop.begin();
    const polls = () => pollsDuring(shop.reconcile);
    expect(await polls()).toBe(0);
    for (const wait of [2, 8, 50, 24 * 60, 24 * 60]) {
      shop.pass(wait * MINUTE - 1);
      expect(await polls(), `before ${wait} minutes`).toBe(0);
      shop.pass(1);
      expect(await polls(), `after ${wait} minutes`).toBe(1);
    }
    shop.end(reference);
    shop.pass(24 * 60 * MINUTE);
    // Two processes read the same time: one of them polls.
    const both = () => Promise.all([reconcile(shop.services), reconcile(shop.services)]);
    expect(await pollsDuring(both)).toBe(1);
    expect(await shop.status()).toBe(PROCESSING);
    expect(await firstValue(shop.db, BANK_REFERENCE)).toBe(UTR);
    for (const [day, count] of [
      [1, 1],
      [1, 1],
      [200, 1],
      [30, 0],
    ] as const) {
      shop.pass(day * 24 * 60 * MINUTE);
      expect(await polls(), 'for refunds and disputes, until banks take none any more').toBe(count);
    }
  });

  it('polls the provider when the shopper returns, instead of trusting the query', async () => {
    const shop = await providerShop(provider);
    const reference = await shop.begin();
    const back = async (address = new URL(provider.returnUrl(reference))) =>
      (await shop.ask(address.pathname.replace('/api/v1', '') + address.search)).headers.get('location');
    const forged = `/payments/return/${provider.name}/${reference}?razorpay_payment_link_status=paid`;
    expect(await back(new URL(forged, 'http://shop.example'))).toContain('/payment?orderId=');
    expect(await shop.status()).toBe(PENDING);
    shop.end(reference);
    const address = new URL(provider.returnUrl(reference));
    if (address.searchParams.has('razorpay_signature')) {
      const polls = provider.received.length;
      const changed = new URL(address);
      changed.searchParams.set('razorpay_payment_link_status', 'expired');
      expect(await back(changed), 'a signature of something else').toContain('/payment?orderId=');
      expect(provider.received.length).toBe(polls);
    }
    shop.pass(5_000);
    expect(await back(address)).toContain('/order-success');
    const form = new URLSearchParams(address.search);
    for (const [path, search] of [
      [address.pathname, ''],
      [`${address.pathname}&status=paid`, address.search],
      [`${address.pathname}%3Fstatus=paid`, address.search],
      [`${address.pathname};a=1`, `${address.search}?status=paid`],
    ] as const)
      for (const sent of [undefined, form, '{"status":"paid"}']) {
        const answer = await shop.ask(
          path.replace('/api/v1', '') + search,
          sent === undefined ? {} : { method: 'POST', body: sent },
        );
        expect([answer.status, answer.headers.get('location')]).toEqual([
          303,
          expect.stringContaining('/order-success'),
        ]);
      }
    const unknown = await shop.ask(`/payments/return/${provider.name}/unknown`);
    expect(unknown.headers.get('location')).toMatch(/\/payment$/);
    expect(await shop.status()).toBe(PROCESSING);
  });

  it('ignores another provider’s report about its payment', async () => {
    const shop = await providerShop(provider, { paymentProviders: [provider.name, 'sandbox', 'cod'] });
    const reference = await shop.begin((await shop.methods())[0]);
    const report = { outcome: 'succeeded', amountPaise: ORDER_TOTAL, currency: 'INR' } as const;
    const other = provider.name === 'razorpay' ? 'cashfree' : 'razorpay';
    for (const name of ['sandbox', 'cod', other]) await settlePayment(shop.services, name, reference, report);
    expect(await shop.states()).toEqual(['open']);
    await settlePayment(shop.services, provider.name, reference, report);
    expect(await shop.states()).toEqual(['done']);
  });

  it('polls a payment at most every 5 seconds under a flood of requests, and later only if the provider says that there is news', async () => {
    const shop = await providerShop(provider);
    const reference = await shop.begin();
    shop.end(reference, { outcome: 'failed' });
    const polls = (webhooks: readonly Webhook[] = []) =>
      pollsDuring(async () => {
        const address = new URL(provider.returnUrl(reference));
        const back = () => shop.ask(address.pathname.replace('/api/v1', '') + address.search);
        await Promise.all([
          ...Array.from({ length: 20 }, back),
          ...webhooks.map((webhook) => shop.send(webhook)),
        ]);
        await Promise.all([shop.status(), shop.reconcile(), shop.reconcile()]);
      });
    const hints = shop.end(reference, { outcome: 'failed' });
    expect(await polls(hints)).toBe(1);
    shop.pass(4_999);
    expect(await polls(hints)).toBe(0);
    shop.pass(1);
    expect(await polls(hints)).toBe(1);
    shop.end(reference);
    shop.pass(5_000);
    expect(await polls(hints)).toBe(1);
    expect(await shop.status()).toBe(PROCESSING);
    shop.pass(60_000);
    expect(await polls(), 'a hint of the same moment').toBeLessThanOrEqual(1);
    shop.pass(60_000);
    expect(await polls(), 'after its money came').toBe(0);
    expect(await polls(hints)).toBe(1);
  });

  it('starts a payment once under a flood of clicks, and retries a failed start after 5 seconds', async () => {
    const shop = await providerShop(provider);
    const [method] = await shop.methods();
    const flood = () => Promise.all(Array.from({ length: 10 }, () => shop.pay(method)));
    provider.failWith('busy');
    const before = provider.received.length;
    for (const { success } of [...(await flood()), ...(await flood())]) expect(success).toBe(false);
    expect(provider.received.length - before).toBe(1);
    provider.failWith(undefined);
    shop.pass(5_000);
    const known = provider.references().length;
    for (const { success } of await flood()) expect(success).toBe(true);
    expect(provider.references()).toHaveLength(known + 1);
  });

  it('rejects a webhook that is forged, cut or another provider’s', async () => {
    const shop = await providerShop(provider);
    const reference = await shop.begin();
    const [webhook] = shop.end(reference).toReversed();
    if (!webhook) throw new Error('no webhook');
    const { body, headers } = webhook;
    const place = fc.nat(body.length - 1);
    const signature = Object.keys(headers).find((name) => /signature/i.test(name)) ?? '';
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          place.map((end) => ({ body: body.slice(0, end) })),
          place.map((at) => ({ body: `${body.slice(0, at)}~${body.slice(at + 1)}` })),
          fc.string().map((text) => ({ headers: { ...headers, [signature]: encodeURIComponent(text) } })),
          fc.json().map((text) => ({ body: text })),
          fc.constant({ headers: { 'Content-Type': 'application/json' } }),
        ),
        async (forged) => {
          const { status } = await shop.send({ ...webhook, ...forged });
          expect(status).toBeGreaterThanOrEqual(400);
          expect(status).toBeLessThan(500);
        },
      ),
      { numRuns: 500 },
    );
    const foreign = await (provider.name === 'razorpay' ? startCashfree : startRazorpay)();
    const other = await providerShop(foreign);
    for (const theirs of other.end(await other.begin())) expect((await shop.send(theirs)).status).toBe(401);
    await foreign.close();
    expect((await shop.ask('/payments/callback/stripe', { json: {} })).status).toBe(404);
    expect(await shop.states()).toEqual(['open']);
    expect(await shop.status()).toBe(PENDING);
  });

  it.each<FakeFailure>(['down', 'html', 'busy', 'wrong-key', 'slow'])(
    'shows an error and keeps the order payable while a provider is %s',
    async (failure) => {
      const shop = await providerShop(provider, { paymentProviders: [provider.name, 'cod'] });
      const soon = AbortSignal.timeout(failure === 'slow' ? 50 : 5_000);
      const timeout = AbortSignal.timeout.bind(AbortSignal);
      vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => (ms === DEADLINE ? soon : timeout(ms)));
      provider.failWith(failure);
      expect(await shop.pay()).toEqual({
        success: false,
        error: expect.stringMatching(/does not answer at the moment/),
      });
      expect(await shop.status()).toBe(PENDING);
      shop.pass(2 * MINUTE);
      const before = provider.received.length;
      await shop.reconcile();
      await shop.reconcile();
      expect(provider.received.length - before, 'no call is repeated in a loop').toBeLessThanOrEqual(1);
      expect(await failingProviders(shop.services)).toMatchObject({
        problem: expect.stringMatching(/pay|free/),
        waiting: [1, 'payment'],
      });
      provider.failWith(undefined);
      expect((await shop.pay('Cash on delivery')).redirectUrl).toContain('/order-success');
    },
  );

  it('after an error polls again within the hour, and floods no provider that is down', async () => {
    const shop = await providerShop(provider);
    const references: string[] = [];
    while (references.length < 12) {
      references.push(await shop.begin());
      shop.pass(6 * MINUTE);
    }
    for (const reference of references) shop.end(reference);
    await shop.reconcile();
    await cancel(shop);
    await refund(shop, ORDER_TOTAL);
    provider.failWith('down');
    const callsAfter = async (wait: number) => {
      shop.pass(wait);
      const before = provider.received.length;
      await shop.reconcile();
      return provider.received.length - before;
    };
    expect(await callsAfter(24 * 60 * MINUTE)).toBeLessThanOrEqual(8);
    expect(await callsAfter(30 * MINUTE - 1)).toBe(0);
    expect(await callsAfter(1)).toBeGreaterThan(0);
    provider.failWith(undefined);
    expect(await callsAfter(30 * MINUTE)).toBeGreaterThanOrEqual(references.length);
    expect(references.reduce((sum, reference) => sum + provider.refunded(reference), 0)).toBe(ORDER_TOTAL);
  });

  it('finds a payment by its reference after the provider’s answer was lost', async () => {
    const shop = await providerShop(provider);
    for (const method of await shop.methods()) {
      const reference = await shop.begin(method);
      // As after a kill between the provider's answer and our own commit.
      await runSql(
        shop.db,
        'UPDATE payment_attempts SET started = NULL, provider_id = NULL WHERE reference = ?',
        reference,
      );
      const known = provider.references().length;
      expect((await shop.pay(method)).success).toBe(true);
      expect(provider.references()).toHaveLength(known);
    }
  });

  it('makes each of two concurrent refunds once, and never more than was paid', async () => {
    const shop = await providerShop(provider);
    const reference = await paid(shop);
    const left = await Promise.all([refund(shop, 100_000), refund(shop, 100_000)]);
    expect(left.filter((refusal) => refusal === undefined)).toHaveLength(1);
    expect(await refund(shop, ORDER_TOTAL + 1)).toEqual({ left: ORDER_TOTAL - 100_000 });
    expect(await refund(shop, 0)).toEqual({ left: ORDER_TOTAL - 100_000 });
    await Promise.all([reconcile(shop.services), reconcile(shop.services)]);
    expect(provider.refunded(reference)).toBe(100_000);
    expect(await refund(shop, ORDER_TOTAL - 100_000)).toBeUndefined();
    await shop.reconcile();
    expect(provider.refunded(reference)).toBe(ORDER_TOTAL);
    expect(await refund(shop, 1)).toEqual({ left: 0 });
  });

  it('does not repeat a refund whose answer was lost', async () => {
    const shop = await providerShop(provider);
    const reference = await paid(shop);
    await refund(shop, 50_000);
    await shop.reconcile();
    await runSql(shop.db, "UPDATE movements SET state = 'requested' WHERE kind = 'refund'");
    shop.pass(24 * 60 * MINUTE);
    await shop.reconcile();
    expect(provider.refunded(reference)).toBe(50_000);
    expect(await taken(shop)).toMatchObject([{ state: 'done' }]);
  });

  it('completes a pending refund by its webhook, and shows the provider’s message for a refused one', async () => {
    const shop = await providerShop(provider);
    await paid(shop);
    provider.setRefunds('pending');
    await refund(shop, 100_000);
    await shop.reconcile();
    const refunds = () => taken(shop);
    expect(await refunds()).toMatchObject([{ state: 'requested' }]);
    expect(await shop.refunds()).toEqual(['We are returning ₹1,000']);
    for (const webhook of provider.settleRefunds(shop.now())) await shop.send(webhook);
    shop.pass(5_000);
    await shop.reconcile();
    expect(await refunds()).toMatchObject([{ state: 'done' }]);
    provider.setRefunds('refused');
    shop.pass(MINUTE);
    await refund(shop, ORDER_TOTAL - 100_000);
    await shop.reconcile();
    expect(await refunds()).toMatchObject([
      { state: 'done' },
      { state: 'failed', providerMessage: expect.stringMatching(/balance/) },
    ]);
    expect(await shop.refunds()).toEqual([
      expect.stringMatching(/^We returned ₹1,000 on \d+ \w+ \d{4}$/),
      expect.stringMatching(/^We could not return ₹[\d,.]+ yet/),
    ]);
    shop.pass(MINUTE);
    const [, { id: retryOf = '' } = {}] = await refunds();
    await refund(shop, ORDER_TOTAL - 100_000, { retryOf });
    expect(await shop.refunds(), 'the failed refund is no longer shown').toEqual([
      expect.stringMatching(/^We returned/),
      expect.stringMatching(/^We are returning/),
    ]);
  });

  const DAY = 24 * 60 * MINUTE;
  const byWebhook = async (shop: Services, webhooks: readonly Webhook[]) => {
    for (const webhook of webhooks) await shop.send(webhook);
  };
  /** The webhook was lost: the daily poll finds the news. */
  const byPoll = async (shop: Services) => {
    shop.pass(DAY);
    await shop.reconcile();
  };

  it.each([
    ['a webhook', byWebhook],
    ['the daily poll', byPoll],
  ])(
    'learns by %s what was refunded at the provider, and refunds no more than is left',
    async (_how, tell) => {
      const shop = await providerShop(provider);
      const reference = await paid(shop);
      await tell(shop, provider.refundThere(reference, 100_000, shop.now()));
      expect(await taken(shop)).toMatchObject([
        { paise: 100_000, state: 'done', needsReview: 1, note: expect.stringMatching(/^Made at/) },
      ]);
      expect(await refund(shop, ORDER_TOTAL)).toEqual({ left: ORDER_TOTAL - 100_000 });
      expect(await shop.refunds()).toEqual([expect.stringMatching(/^We returned ₹1,000 on/)]);
      await tell(shop, provider.refundThere(reference, ORDER_TOTAL - 100_000, shop.now()));
      expect(await shop.money()).toEqual(['refunded']);
      await byPoll(shop);
      expect(await taken(shop), 'reported twice, stored once').toHaveLength(2);
      expect(provider.refunded(reference)).toBe(ORDER_TOTAL);
    },
  );

  it.each([
    ['webhooks', byWebhook],
    ['the daily poll', byPoll],
  ])('learns by %s of a dispute, whose amount cannot be refunded as well', async (_how, tell) => {
    const shop = await providerShop(provider);
    const reference = await paid(shop);
    const respondBy = shop.now() + 7 * DAY;
    const change = (state: FakeDispute['state']) =>
      provider.dispute(reference, { paise: 39_000, state, respondBy }, shop.now());
    const opened = change('open');
    await tell(shop, opened);
    const disputes = () => taken(shop);
    expect(await disputes()).toMatchObject([
      { paise: 39_000, state: 'open', answerBy: respondBy, needsReview: 1 },
    ]);
    expect((await disputes())[0]?.providerMessage).toMatch(/^chargeback: goods not received$/i);
    expect(await refund(shop, ORDER_TOTAL)).toEqual({ left: ORDER_TOTAL - 39_000 });
    await tell(shop, change('under_review'));
    expect(await disputes()).toMatchObject([{ state: 'answered' }]);
    await tell(shop, change('lost'));
    await byWebhook(shop, opened);
    expect(await disputes(), 'a late webhook').toMatchObject([{ state: 'lost', needsReview: 1 }]);
    expect(await refund(shop, ORDER_TOTAL)).toEqual({ left: ORDER_TOTAL - 39_000 });
    change('won');
    await byPoll(shop);
    const [lost, undone] = await disputes();
    expect([lost?.state, undone?.reverses, undone?.paise]).toEqual(['lost', lost?.id, 39_000]);
    expect(await refund(shop, ORDER_TOTAL + 1)).toEqual({ left: ORDER_TOTAL });
  });

  it('a refused refund that had been made at the provider is shown as what it is', async () => {
    const shop = await providerShop(provider);
    const reference = await paid(shop);
    provider.refundThere(reference, ORDER_TOTAL, shop.now());
    await refund(shop, 100_000);
    await shop.reconcile();
    const refunds = await taken(shop);
    expect(refunds.map(({ state }) => state).toSorted()).toEqual(['done', 'failed']);
    expect(await shop.money()).toEqual(['refunded']);
  });

  it('asks once more after a payment had ended, and takes its late money', async () => {
    const shop = await providerShop(provider);
    const reference = await shop.begin();
    const webhooks = shop.end(reference, { outcome: 'expired' });
    shop.pass(2 * MINUTE);
    await shop.reconcile();
    expect(await shop.states()).toEqual(['failed']);
    shop.pass(DAY);
    expect(await pollsDuring(shop.reconcile)).toBe(0);
    await byWebhook(shop, [...webhooks, ...shop.end(reference)]);
    await shop.reconcile();
    expect([await shop.states(), await shop.money()]).toEqual([['done'], ['paid']]);
    expect(await shop.status()).toBe(PROCESSING);
  });

  it.each([
    ['a webhook', byWebhook],
    [
      'a poll',
      async (shop: Services, webhooks: readonly Webhook[]) => {
        shop.pass(2 * MINUTE);
        await shop.reconcile();
        // Only its webhooks say that Cashfree has made an offer. This one is late.
        if (provider.name === 'cashfree') await byWebhook(shop, webhooks);
      },
    ],
  ])(
    'takes a payment with a discount of the provider as paid by %s, and refunds what came',
    async (_how, tell) => {
      const shop = await providerShop(provider);
      for (const method of await shop.methods()) {
        const order = await shop.placeOrder(shop.token);
        const reference = await shop.begin(method, order.id);
        const webhooks = shop.end(reference, { outcome: 'succeeded', discount: 10_000 });
        await tell(shop, webhooks);
        expect(await shop.status(order.id), method).toBe(PROCESSING);
        expect(await refund(shop, ORDER_TOTAL), method).toEqual({ left: ORDER_TOTAL - 10_000 });
        shop.pass(MINUTE);
      }
    },
  );

  it.each([
    ['Amount exceeds maximum amount allowed.', /does not take this amount/, /रकम/],
    ['Currency is not supported', /does not take Indian rupees/, /रुपये/],
    ['Contact number should be at least 8 digits', /phone number|mobile number/, /फ़ोन नंबर|मोबाइल नंबर/],
    ['Something else', /does not answer/, /जवाब नहीं/],
  ])('a refusal to start is shown as what it is: %s', async (words, english, hindi) => {
    const shop = await providerShop(provider);
    provider.refuse(words);
    expect((await shop.pay()).error).toMatch(english);
    expect((await shop.pay()).error, 'again at once').toMatch(english);
    await runSql(shop.db, "UPDATE orders SET language = 'hi'");
    expect((await shop.pay()).error).toMatch(hindi);
    expect(await firstValue(shop.db, 'SELECT provider_message FROM payment_attempts')).toBe(words);
    provider.refuse(undefined);
    shop.pass(5_000);
    const fields = { method: (await shop.methods())[0], phone: '+919876543210' };
    const retry = await shop.ask('/payments', {
      token: shop.token,
      json: { orderId: shop.order.id, fields },
    });
    expect(retry.json).toMatchObject({ success: true });
  });

  it('counts a signed webhook about a payment that is not its own, and takes it', async () => {
    const metricsToken = 'a-token-of-the-metrics-of-this-test';
    const shop = await providerShop(provider, { metricsToken });
    const other = await providerShop(provider);
    const [webhook] = other.end(await other.begin());
    expect(webhook && (await shop.send(webhook)).status).toBe(200);
    const { text } = await shop.ask('/metrics', { token: metricsToken });
    const labels = `provider="${provider.name}",error="unknown-reference"`;
    expect(text).toContain(`shop_provider_errors_total{${labels}} 1`);
    expect(shop.lines.map(({ event }) => event)).toContain(
      'webhook about a payment that is not of this shop',
    );
  });

  it('refunds a payment after cancelling, and a second payment, once each', async () => {
    const shop = await providerShop(provider);
    const references = await paidTwice(shop);
    expect([await shop.states(), await shop.money()]).toEqual([['done', 'done'], ['refund_due']]);
    await cancel(shop);
    expect(await shop.money()).toEqual(['refund_due']);
    expect(await shop.refunds()).toEqual([`We are returning ${formatPaise(2 * ORDER_TOTAL)}`]);
    expect(await shop.status()).toBe(CANCELLED);
    for (const left of [ORDER_TOTAL, 0]) {
      expect(await refund(shop, ORDER_TOTAL)).toBeUndefined();
      expect(await refund(shop, 2 * ORDER_TOTAL)).toEqual({ left });
      await shop.reconcile();
    }
    expect(references.map(provider.refunded)).toEqual([ORDER_TOTAL, ORDER_TOTAL]);
    expect(await shop.money()).toEqual(['refunded']);
    expect((await shop.sentOrder())?.refunds).toMatchObject(
      Array(2).fill({ amount: toRupees(ORDER_TOTAL), state: 'refunded' }),
    );
  });

  it('with AUTO_REFUND refunds a second payment automatically, once', async () => {
    const shop = await providerShop(provider, { autoRefund: true });
    const references = await paidTwice(shop);
    for (let round = 0; round < 2; round += 1) await shop.reconcile();
    expect(await shop.money()).toEqual(['paid']);
    expect(references.map(provider.refunded).toSorted()).toEqual([0, ORDER_TOTAL]);
    expect(await taken(shop)).toMatchObject([{ recordedBy: 'the shop' }]);
  });

  it.each([
    ['another amount', { paise: ORDER_TOTAL - 1 }],
    ['another currency', { currency: 'USD' }],
    ['less, and no offer,', { missing: ORDER_TOTAL - 1 }],
  ])('%s is to review', async (_what, ending) => {
    const shop = await providerShop(provider);
    const reference = await shop.begin();
    for (const webhook of shop.end(reference, { outcome: 'succeeded', ...ending })) await shop.send(webhook);
    await shop.reconcile();
    expect(await shop.money()).toEqual(['wrong_amount']);
    expect(await shop.status()).toBe(PENDING);
  });

  it('a provider that is no longer chosen still reports and refunds while its keys are there', async () => {
    const before = await providerShop(provider);
    const reference = await before.begin();
    const settings = { ...before.services.settings, paymentProviders: ['cod'] };
    const services = { ...before.services, settings };
    before.end(reference);
    before.pass(2 * MINUTE);
    await reconcile(services);
    expect(await before.money()).toEqual(['paid']);
    await refund(before, 100_000);
    await reconcile(services);
    expect(provider.refunded(reference)).toBe(100_000);
    // Without its keys a refund fails, so that staff can give it back by hand.
    await refund(before, 50_000);
    const without = { ...services, settings: { ...settings, environment: {} } };
    before.pass(MINUTE);
    await reconcile(without);
    const failed = (await taken(before)).filter(({ state }) => state === 'failed');
    expect(failed).toMatchObject([{ paise: 50_000, needsReview: 1 }]);
    expect(await ordersNeedingAttention(before.db, before.now(), 5)).toHaveLength(1);
    before.pass(DAY);
    await reconcile(services);
    expect(provider.refunded(reference)).toBe(100_000);
  });

  it('writes no key into the log or an answer', async () => {
    const shop = await providerShop(provider);
    provider.failWith('wrong-key');
    const answers = [await shop.pay(), (await shop.ask('/payments/fields', { token: shop.token })).text];
    const said = JSON.stringify([answers, shop.lines]);
    for (const [name, value] of Object.entries(provider.environment))
      if (/KEY|SECRET|ID$/.test(name)) expect(said).not.toContain(value);
  });
});

it('finds a dispute of Razorpay behind a hundred others', async () => {
  const shop = await shopAt(startRazorpay, UNLIMITED);
  const { provider } = shop;
  const references: string[] = [];
  while (references.length <= 100) {
    references.push(await shop.begin());
    shop.pass(6 * MINUTE);
  }
  for (const reference of references) {
    shop.end(reference);
    provider.dispute(reference, { paise: 100, state: 'open', respondBy: 0 }, shop.now());
  }
  const [first = ''] = references;
  await settlePayment(shop.services, 'razorpay', first, {
    outcome: 'succeeded',
    amountPaise: ORDER_TOTAL,
    currency: 'INR',
  });
  await runSql(shop.db, 'UPDATE payment_attempts SET next_poll_at = NULL WHERE reference <> ?', first);
  const before = provider.received.length;
  shop.pass(24 * 60 * MINUTE);
  await shop.reconcile();
  expect(await taken(shop)).toMatchObject([{ state: 'open' }]);
  // One request for the link, whose webhook was lost, one for its refunds, and two for two pages of disputes.
  expect(provider.received.length - before).toBe(4);
});

it('a payment starts at once beside any number of returns that nobody signed', async () => {
  const provider = await startCashfree();
  const shop = await providerShop(provider, UNLIMITED);
  const references: string[] = [];
  while (references.length < 9) {
    references.push(await shop.begin());
    shop.pass(6 * MINUTE);
  }
  provider.failWith('slow');
  let answered = 0;
  const returns = references.map(async (reference) => {
    await shop.ask(`/payments/return/cashfree/${reference}`);
    answered += 1;
  });
  // All returns of one network address share one poll at a time.
  await expect.poll(() => answered).toBe(8);
  provider.failWith(undefined);
  expect(await shop.pay()).toMatchObject({ success: true });
  expect(answered).toBe(8);
  await provider.close();
  await Promise.all(returns);
});

it('a return that nobody signed causes no poll of a payment that failed, or began an hour ago', async () => {
  const { provider, ...shop } = await shopAt(startCashfree);
  const old = await shop.begin();
  shop.pass(61 * MINUTE);
  const failed = await shop.begin();
  await runSql(shop.db, "UPDATE payment_attempts SET state = 'failed' WHERE reference = ?", failed);
  const before = provider.received.length;
  for (const reference of [old, failed]) await shop.ask(`/payments/return/cashfree/${reference}`);
  expect(provider.received.length).toBe(before);
  // The list of orders polls, because it has the customer's session.
  shop.end(failed);
  await shop.ask('/orders', { token: shop.token });
  await shop.reconcile();
  expect(await shop.status()).toBe(1);
});

it('a webhook of Cashfree with an old timestamp causes a poll and is not trusted', async () => {
  const { provider, ...shop } = await shopAt(startCashfree);
  const reference = await shop.begin();
  const [webhook] = shop.end(reference);
  if (!webhook) throw new Error('no webhook');
  shop.pass(6 * MINUTE);
  provider.failWith('down');
  expect((await shop.send(webhook)).status).toBe(200);
  await shop.reconcile();
  expect(await shop.status()).toBe(PENDING);
  provider.failWith(undefined);
  shop.pass(5_000);
  await shop.send(webhook);
  await shop.reconcile();
  expect(await shop.status()).toBe(PROCESSING);
});

it.each([
  ['x-cashfree-signature', 'x-cashfree-timestamp'],
  ['x-cashfree-signature', 'x-webhook-timestamp'],
])('a webhook of Cashfree may be signed in %s over %s', async (signature, timestamp) => {
  const { provider, ...shop } = await shopAt(startCashfree);
  const [webhook] = shop.end(await shop.begin());
  if (!webhook) throw new Error('no webhook');
  const { 'x-webhook-timestamp': time = '', 'x-webhook-signature': signed = '', ...others } = webhook.headers;
  provider.failWith('down');
  const send = (sent: string) =>
    shop.send({ ...webhook, headers: { ...others, [timestamp]: time, [signature]: sent } });
  expect((await send(`${signed}x`)).status).toBe(401);
  expect((await send(signed)).status).toBe(200);
  expect(await shop.status()).toBe(PROCESSING);
});

it('asks for a mobile number that Cashfree takes, if the order has none', async () => {
  const { provider, ...shop } = await shopAt(startCashfree);
  const shippingAddress = { ...ADDRESS, phone: '+1 415 555 2671' };
  const { id } = await shop.placeOrder(shop.token, { [MANGO]: 2 }, { shippingAddress });
  const { json } = await shop.ask('/payments/fields', { token: shop.token });
  const { fields } = v.parse(PaymentFieldsSchema, json);
  expect(fields.find(({ name }) => name === 'phone')).toMatchObject({
    type: 'tel',
    rules: { required: true },
  });
  const [method] = await shop.methods();
  const pay = async (more: object) =>
    (await shop.ask('/payments', { token: shop.token, json: { orderId: id, fields: { method, ...more } } }))
      .json;
  expect(await pay({})).toMatchObject({ success: false, target: 'phone' });
  expect(await pay({ phone: '+919876543210' })).toMatchObject({ success: true });
  expect(provider.received.find(({ body }) => body.includes('9876543210'))?.path).toBe('/pg/orders');
});

it('many concurrent changes of one customer do not block other customers', async () => {
  const provider = await startCashfree();
  const shop = await providerShop(provider);
  const orders = await Promise.all(Array.from({ length: 6 }, () => shop.placeOrder(shop.token)));
  const [method] = await shop.methods();
  provider.failWith('slow');
  const before = provider.received.length;
  const answers = orders.map(({ id }) => shop.pay(method, id));
  await expect.poll(() => provider.received.length - before).toBe(3);
  const { token } = await shop.customer();
  await shop.placeOrder(token);
  expect(provider.received.length - before).toBe(3);
  await provider.close();
  await Promise.all(answers);
});
