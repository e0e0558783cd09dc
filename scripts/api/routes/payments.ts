import type { Context } from 'hono';
import * as v from 'valibot';
import { STATUS } from '#domain/order.ts';
import { validatePaymentForm } from '#domain/payment-form.ts';
import { readAmount } from '#scripts/api/amount.ts';
import { ReportSchema, SIGNATURE_HEADER, TIMESTAMP_HEADER } from '#scripts/api/gateway/callback.ts';
import { gatewayForm } from '#scripts/api/gateway/card.ts';
import { isSignedBy } from '#scripts/api/gateway/signature.ts';
import { upiLink, upiPage } from '#scripts/api/gateway/upi.ts';
import { bodyText, parsedBody } from '#scripts/api/http/body.ts';
import { orderNotFound, Refusal, unauthorized } from '#scripts/api/http/refusal.ts';
import { findOrder, type StoredOrder } from '#scripts/api/orders.ts';
import { METHODS, PAYMENT_FIELDS } from '#scripts/api/payment-fields.ts';
import type { PaymentReport } from '#scripts/api/payment-state.ts';
import { type Payment, settlePayment, startPayment } from '#scripts/api/payments.ts';
import { PaymentRequestSchema, type WirePaymentResponse } from '#scripts/api/schema/payments.ts';
import type { Env, Shop } from '#scripts/api/shop.ts';

/** GET /payments/fields (spec 7) */
export function listPaymentFields(context: Context<Env>): Response {
  return context.json({ fields: PAYMENT_FIELDS });
}

type Action = NonNullable<WirePaymentResponse['action']>;
type StartAction = (shop: Shop, payment: Payment, orderId: string, payee: string) => Action;

/** What each way of paying asks the page to do (spec 4, payment flow). */
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

/** Why an order of this status takes no payment (faults 76). */
const NOT_PAYABLE: Readonly<Record<number, string>> = {
  [STATUS.processing]: 'This order is already paid.',
  [STATUS.shipped]: 'This order is already paid and on its way.',
  [STATUS.delivered]: 'This order is already paid and delivered.',
  [STATUS.cancelled]: 'This order was cancelled and cannot be paid.',
};

function returnOrigin(context: Context, { settings }: Shop): string {
  const [first = ''] = settings.siteOrigins;
  const origin = context.req.header('origin') ?? first;
  return settings.siteOrigins.includes(origin) ? origin : first;
}

function ownOrder(context: Context<Env>, shop: Shop, id: string): StoredOrder {
  const order = findOrder(shop.db, id);
  if (!order || order.userId !== context.get('user').id) throw orderNotFound();
  return order;
}

/** POST /payments (spec 7): starts a payment and says how it goes on */
export async function submitPayment(context: Context<Env>, shop: Shop): Promise<Response> {
  const { fields, orderId } = await parsedBody(context, PaymentRequestSchema);
  const refuse = (error: string) => context.json({ success: false, error } satisfies WirePaymentResponse);

  const asked = ownOrder(context, shop, orderId);
  const values = new Map(Object.entries(fields));
  const [problem] = validatePaymentForm(PAYMENT_FIELDS, values).values();
  if (asked.status === STATUS.pending && problem !== undefined) return refuse(problem);
  const method = values.get('method') ?? '';
  const action = Object.hasOwn(ACTIONS, method) ? ACTIONS[method] : undefined;
  if (asked.status === STATUS.pending && !action) return refuse('Choose one of the ways to pay.');

  // The status is read again inside the transaction: the order may have been paid or cancelled meanwhile.
  const started = await shop.db.write(() => {
    const order = ownOrder(context, shop, orderId);
    if (order.status !== STATUS.pending) return NOT_PAYABLE[order.status] ?? 'This order cannot be paid.';
    return startPayment(shop, order, method, returnOrigin(context, shop));
  });
  if (typeof started === 'string') return refuse(started);
  if (!action) return refuse('Choose one of the ways to pay.');
  shop.log('info', 'payment started', {
    method,
    reference: started.reference,
    sandbox: upiPage(shop, started),
  });
  const answer = { success: true, action: action(shop, started, orderId, shop.catalogue().storeName) };
  return context.json(answer satisfies WirePaymentResponse);
}

/** How old, or how far ahead, a report may be, in seconds (faults 77). */
const REPORT_LIFE = 300;

/** What a signed body says. @throws Refusal 422 where it names no payment and no outcome */
function readReport(body: string): PaymentReport & { readonly reference: string } {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), ReportSchema), body);
  if (!parsed.success) throw new Refusal(422, 'The report cannot be read');
  const { amount, ...report } = parsed.output;
  return { ...report, amountPaise: readAmount(amount) };
}

/** POST /payments/callback: the gateway's signed word on a payment (faults 77) */
export async function receiveCallback(context: Context<Env>, shop: Shop): Promise<Response> {
  const body = await bodyText(context);
  const timestamp = context.req.header(TIMESTAMP_HEADER) ?? '';
  const signature = context.req.header(SIGNATURE_HEADER);
  if (!/^\d{1,12}$/.test(timestamp) || !isSignedBy(shop.gatewaySecret, `${timestamp}.${body}`, signature)) {
    throw unauthorized();
  }
  if (Math.abs(shop.clock() / 1_000 - Number(timestamp)) > REPORT_LIFE) {
    throw new Refusal(400, 'The report is too old');
  }
  const { reference, ...report } = readReport(body);
  await settlePayment(shop, reference, report);
  return context.json({ received: true });
}
