import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { languageOf } from '#domain/language.ts';
import { withoutSuffix } from '#domain/order-number.ts';
import { NEW_ORDER, PAID_ORDER, whyClosed } from '#domain/order-status.ts';
import { mobileDigits } from '#domain/phone.ts';
import { blocksOf, REFUSALS } from '#server/customers/stored-blocks.ts';
import { orderNotFound } from '#server/http/refusal.ts';
import type { Payers } from '#server/limits/counts.ts';
import { extrasOf, readPaymentForm, storeExtras, withExtras } from '#server/orders/order-extras.ts';
import {
  apiStatus,
  findOrder,
  lockOrder,
  newestPayable,
  type StoredOrder,
  setStatus,
  updateOrder,
} from '#server/orders/stored-orders.ts';
import { defineCall } from '#server/services/call.ts';
import type { Env, Services } from '#server/services/services.ts';
import { PHONE, paymentFields, START_REFUSALS } from './payment-fields.ts';
import { recordProviderError } from './provider-errors.ts';
import { ProviderError, refusalCause } from './providers/call-provider.ts';
import { cashRefusal } from './providers/cash/cash-share.ts';
import { type PaymentMethod, paymentMethodsOf } from './providers/providers.ts';
import { upiPage } from './providers/sandbox/gateway.tsx';
import { createShared } from './reconcile.ts';
import {
  PaymentFieldsSchema,
  PaymentRequestSchema,
  type PaymentResponse,
  PaymentResponseSchema,
  type Started,
} from './schema.ts';
import {
  type Attempt,
  attemptsOf,
  claimPoll,
  findAttempt,
  setAttempt,
  storeAttempt,
} from './stored-attempts.ts';
import { RETURN_PATH, WEBHOOK_PATH } from './webhooks.ts';

/** A pseudonym, for a provider that requires an id of the customer. */
const customerName = ({ customerId, orderId }: Attempt): string =>
  createHash('sha256')
    .update(customerId ?? orderId)
    .digest('hex')
    .slice(0, 32);

/** Whether a provider needs a phone, and does not take the one of the order's address. */
const asksPhone = async (
  { db }: Services,
  { number, address }: StoredOrder,
  methods: readonly PaymentMethod[],
): Promise<boolean> =>
  methods.some(({ provider }) => provider.needsPhone) &&
  (mobileDigits(address.phone) === undefined ||
    (await attemptsOf(db, number)).some(({ providerMessage }) => refusalCause(providerMessage) === 'phone'));

export const listPaymentFieldsCall = defineCall('GET /payments/fields', 'Payments', 'listPaymentFields', {
  access: 'bearer',
  spends: 'little',
  summary: 'Get the payment form',
  description:
    'Its fields, in the order of the page, with the payment methods for the newest order of the customer with something to pay, in its language.',
  answer: PaymentFieldsSchema,
  async handle(context, services) {
    const order = await newestPayable(services.db, context.get('customer').id);
    const methods = await paymentMethodsOf(services, order);
    const isPhoneAsked = order !== undefined && (await asksPhone(services, order, methods));
    const extras = order && (await extrasOf(services.db, [order.number])).get(order.number);
    const fields = withExtras(paymentFields(methods, languageOf(order?.language), isPhoneAsked), extras);
    return context.json({ fields: methods.length === 0 ? [] : fields });
  },
});

const NO_PAYMENTS = 'This shop takes no payments online at the moment.';

/** The hourly task cancels such an order. Until then it cannot be paid at its old prices. */
const EXPIRED = 'This order was not paid in time. Please order again.';

/** Cash on delivery is the only method, and its limits exclude this order. */
const NO_CASH_ON_DELIVERY =
  'This order cannot be paid in cash on delivery, because of its amount or its PIN code.';

/** The request's origin if it is one of the shop's sites, else the first site. */
function returnOrigin(context: Context, { settings }: Services): string {
  const [first = ''] = settings.siteOrigins;
  const origin = context.req.header('origin') ?? first;
  return settings.siteOrigins.includes(origin) ? origin : first;
}

/** Returns the order if it belongs to the signed-in customer. @throws Refusal 404 */
function ownOrder(context: Context<Env>, order: StoredOrder | undefined): StoredOrder {
  if (!order || order.customerId !== context.get('customer').id) throw orderNotFound();
  return order;
}

/** Returns why an order cannot be paid, or undefined. What it owes decides, not its status. */
function whyNotPayable({ clock, settings }: Services, order: StoredOrder): string | undefined {
  const { status, createdAt, toPayPaise: due, heldPaise, paidAtDoor } = order;
  const isLate = status === NEW_ORDER && heldPaise === 0 && createdAt <= clock() - settings.orders.payableFor;
  const closed = whyClosed({ status: apiStatus(status), due, payOnDelivery: paidAtDoor === 1 });
  return closed ?? (isLate ? EXPIRED : undefined);
}

const shareStart = createShared<Started | null>();

/**
 * Starts the payment at its provider, once. Returns null if a try of less than 5 s ago has not succeeded.
 * @throws ProviderError
 */
const start = async (
  services: Services,
  { name, provider }: PaymentMethod,
  attempt: Attempt,
  phone: string,
  payers: Payers,
): Promise<Started | null> =>
  attempt.started ??
  shareStart(attempt.reference, () =>
    services.limits.lane('paymentStart', name).run(payers, async () => {
      if (!(await claimPoll(services, attempt)))
        return (await findAttempt(services.db, attempt.reference))?.started ?? null;
      const { storeName } = await services.catalogue();
      const started = await provider.start(attempt, {
        orderNumber: withoutSuffix(attempt.shownNumber),
        payee: storeName,
        returnOrigin: attempt.returnOrigin,
        customer: customerName(attempt),
        phone,
        returnUrl: `${services.apiOrigin}${RETURN_PATH}/${name}/${attempt.reference}`,
        webhookUrl: `${services.apiOrigin}${WEBHOOK_PATH}/${name}`,
      });
      const { providerId = null, ...step } = started;
      // It may be polled from now on.
      const set = { started: JSON.stringify(step), providerId, polledAt: null, providerMessage: '' };
      await services.db.write((transaction) => setAttempt(transaction, attempt.reference, set));
      return started;
    }),
  );

export const submitPaymentCall = defineCall('POST /payments', 'Payments', 'submitPayment', {
  access: 'bearer',
  spends: { each: 'payment' },
  summary: 'Start a payment',
  description:
    'A payment that cannot be made is success: false with a text, and status 200. `target` names the field that it is about.',
  request: { body: PaymentRequestSchema },
  answer: PaymentResponseSchema,
  failures: [404, 422, 503],
  async handle(context, services, { body: { fields, orderId } }) {
    const refuse = (error: string, target?: string) =>
      context.json({ success: false, error, target } satisfies PaymentResponse);

    const found = ownOrder(context, await findOrder(services.db, orderId));
    const closed = whyNotPayable(services, found);
    if (closed !== undefined) return refuse(closed);
    const methods = await paymentMethodsOf(services, found);
    if (methods.length === 0)
      return refuse(services.settings.paymentProviders.length === 0 ? NO_PAYMENTS : NO_CASH_ON_DELIVERY);
    const language = languageOf(found.language);
    const form = paymentFields(methods, language, await asksPhone(services, found, methods));
    const sent = new Map(Object.entries(fields));
    const { values, extras, problem } = readPaymentForm(form, sent, language);
    if (problem) return refuse(problem[1], problem[0]);
    const chosen = methods.find(({ option }) => option === values.get('method'));
    if (!chosen) return refuse('Choose one of the payment methods.', 'method');
    const phone = mobileDigits(values.get(PHONE) ?? '') ?? mobileDigits(found.address.phone) ?? '';
    const refusals = START_REFUSALS[language];
    if (chosen.provider.needsPhone && phone === '') return refuse(refusals.phone, PHONE);

    // The status is read again inside the transaction, because the order may have been paid or cancelled meanwhile.
    const { isPaidAtDoor = false } = chosen.provider;
    const refusal = isPaidAtDoor && (await cashRefusal(services, services.payersOf(context), language));
    if (refusal) return refuse(refusal);
    const origin = returnOrigin(context, services);
    const stored = await services.db.write(async (transaction) => {
      const order = ownOrder(context, await lockOrder(transaction, orderId));
      const closedReason = whyNotPayable(services, order);
      if (closedReason !== undefined) return closedReason;
      const { id: customerId, email } = context.get('customer');
      const payer = { customerId, email, address: order.address };
      if (isPaidAtDoor && (await blocksOf(transaction, payer, services.clock())).length > 0)
        return REFUSALS.cash[language];
      await storeExtras(transaction, order.number, extras);
      if (!isPaidAtDoor) {
        const { name: provider, method } = chosen;
        return storeAttempt(services, transaction, order, { provider, method, returnOrigin: origin });
      }
      const confirms = services.settings.confirmCash ? { toConfirm: 1 } : {};
      await updateOrder(transaction, order.number, { paidAtDoor: 1, ...confirms });
      await setStatus(transaction, order.number, PAID_ORDER, services.clock());
      return undefined;
    });
    if (typeof stored === 'string') return refuse(stored);
    if (!stored)
      return context.json({
        success: true,
        redirectUrl: `${origin}/order-success`,
      } satisfies PaymentResponse);
    const { attempt, isNew } = stored;
    if (isNew) services.metrics?.paymentChanged(attempt.state);
    services.log('info', 'payment started', {
      method: chosen.method,
      reference: attempt.reference,
      ...(chosen.name === 'sandbox' ? { sandbox: upiPage(services, attempt) } : {}),
    });
    try {
      const started = await start(services, chosen, attempt, phone, services.payersOf(context));
      // A try of a moment ago was refused, or did not reach the provider.
      if (!started) return refuse(refusals[refusalCause(attempt.providerMessage)]);
      const { action, redirectUrl } = started;
      return context.json({ success: true, action, redirectUrl } satisfies PaymentResponse);
    } catch (error) {
      await recordProviderError(services, chosen.name, error, 'payment could not be started');
      const providerMessage = error instanceof ProviderError && error.kind === 'refused' ? error.words : '';
      await services.db.write((transaction) =>
        setAttempt(transaction, attempt.reference, { providerMessage }),
      );
      return refuse(refusals[refusalCause(providerMessage)]);
    }
  },
});
