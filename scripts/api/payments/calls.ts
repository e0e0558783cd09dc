import type { Context } from 'hono';
import * as v from 'valibot';
import { STATUS } from '#domain/order.ts';
import { validatePaymentForm } from '#domain/payment-form.ts';
import { orderNotFound } from '#scripts/api/http/refusal.ts';
import { gatewayForm } from '#scripts/api/payments/gateway/card.ts';
import { upiLink, upiPage } from '#scripts/api/payments/gateway/upi.ts';
import { defineCall } from '#scripts/api/shop/call.ts';
import type { Env, Shop } from '#scripts/api/shop/shop.ts';
import { findPayable, lockPayable, type Payable } from './payable.ts';
import { METHODS, PAYMENT_FIELDS } from './payment-fields.ts';
import {
  PaymentFieldsSchema,
  PaymentRequestSchema,
  PaymentResponseSchema,
  type WirePaymentResponse,
} from './schema.ts';
import { type Payment, startPayment } from './stored-payments.ts';

export const listPaymentFields = defineCall({
  method: 'GET',
  path: '/payments/fields',
  access: 'bearer',
  operationId: 'listPaymentFields',
  tag: 'Payments',
  summary: 'Get the payment form',
  description: 'Its fields, in the order in which they are shown.',
  request: v.object({}),
  status: 200,
  answer: PaymentFieldsSchema,
  handle: (context, { settings }) => context.json({ fields: settings.sandboxGateway ? PAYMENT_FIELDS : [] }),
});

type Action = NonNullable<WirePaymentResponse['action']>;

type StartAction = (shop: Shop, payment: Payment, orderId: string, payee: string) => Action;

/** What the payment page does next, for each payment method (spec 4, payment flow). */
const ACTIONS: Readonly<Record<string, StartAction>> = {
  [METHODS.qr]: (_shop, payment, orderId, payee) => ({ type: 'qr', qr: upiLink(payment, orderId, payee) }),
  [METHODS.app]: (_shop, payment, orderId, payee) => ({
    type: 'deeplink',
    redirectUrl: upiLink(payment, orderId, payee),
  }),
  [METHODS.card]: (shop, payment, orderId, payee) => {
    const { url, formParams } = gatewayForm(shop, payment, orderId, payee);
    return { type: 'redirect_post', redirectUrl: url, formParams };
  },
};

/** Why an order of this status cannot be paid (faults 76). */
const NOT_PAYABLE: Readonly<Record<number, string>> = {
  [STATUS.processing]: 'This order is already paid.',
  [STATUS.shipped]: 'This order is already paid and on its way.',
  [STATUS.delivered]: 'This order is already paid and delivered.',
  [STATUS.cancelled]: 'This order was cancelled and cannot be paid.',
};

/** The origin that the request came from if it is one of the shop's sites, otherwise the shop's first site. */
function returnOrigin(context: Context, { settings }: Shop): string {
  const [first = ''] = settings.siteOrigins;
  const origin = context.req.header('origin') ?? first;
  return settings.siteOrigins.includes(origin) ? origin : first;
}

/** Returns the order if it belongs to the signed-in user. @throws Refusal 404 */
function ownOrder(context: Context<Env>, order: Payable | undefined): Payable {
  if (!order || order.userId !== context.get('user').id) throw orderNotFound();
  return order;
}

export const submitPayment = defineCall({
  method: 'POST',
  path: '/payments',
  access: 'bearer',
  operationId: 'submitPayment',
  tag: 'Payments',
  summary: 'Start a payment',
  description: 'A payment that cannot be made is success: false with a text, and status 200.',
  request: v.object({ body: PaymentRequestSchema }),
  status: 200,
  answer: PaymentResponseSchema,
  failures: [404, 422, 503],
  async handle(context, shop, { body: { fields, orderId } }) {
    const refuse = (error: string) => context.json({ success: false, error } satisfies WirePaymentResponse);

    const found = ownOrder(context, await findPayable(shop.db, orderId));
    if (!shop.settings.sandboxGateway) return refuse('This shop takes no payments online at the moment.');
    const values = new Map(Object.entries(fields));
    const [problem] = validatePaymentForm(PAYMENT_FIELDS, values).values();
    if (found.status === STATUS.pending && problem !== undefined) return refuse(problem);
    const method = values.get('method') ?? '';
    const action = Object.hasOwn(ACTIONS, method) ? ACTIONS[method] : undefined;
    if (found.status === STATUS.pending && !action) return refuse('Choose one of the ways to pay.');

    // The status is read again inside the transaction, because the order may have been paid or cancelled meanwhile.
    const started = await shop.db.write(async (transaction) => {
      const order = ownOrder(context, await lockPayable(transaction, orderId));
      if (order.status !== STATUS.pending) return NOT_PAYABLE[order.status] ?? 'This order cannot be paid.';
      return startPayment(shop, transaction, order, method, returnOrigin(context, shop));
    });
    if (typeof started === 'string') return refuse(started);
    const { payment, isNew } = started;
    if (isNew) shop.metrics?.paymentChanged(payment.state);
    // Here an action is always found: without one a pending order is refused above, and any other in the transaction.
    if (!action) return refuse('Choose one of the ways to pay.');
    shop.log('info', 'payment started', {
      method,
      reference: payment.reference,
      sandbox: upiPage(shop, payment),
    });
    const { storeName } = await shop.catalogue();
    const answer = { success: true, action: action(shop, payment, orderId, storeName) };
    return context.json(answer satisfies WirePaymentResponse);
  },
});
