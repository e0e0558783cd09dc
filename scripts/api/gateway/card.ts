import type { Context } from 'hono';
import * as v from 'valibot';
import { formatPaise } from '#domain/money.ts';
import { amountText, readAmount } from '#scripts/api/amount.ts';
import type { Env, Shop } from '#scripts/api/shop.ts';
import type { Payment } from '#scripts/api/stored-payments.ts';
import { callbackRequest, deliverReport } from './callback.ts';
import { choicePage, messagePage, pageHeaders } from './page.ts';
import { isSignedBy, sign, signedText } from './signature.ts';

const GATEWAY_PATH = '/gateway/pay';

/** What the shop sends to the gateway through the shopper's browser. It is signed, so that nobody can change it there. */
const OrderedSchema = v.object({
  reference: v.string(),
  amount: v.string(),
  currency: v.string(),
  payee: v.string(),
  successUrl: v.string(),
  failureUrl: v.string(),
});
type Ordered = v.InferOutput<typeof OrderedSchema>;

/** The form that takes the shopper to the gateway (spec 3, formParams). */
export function gatewayForm(shop: Shop, payment: Payment, orderId: string, payee: string) {
  const url = shop.apiOrigin + GATEWAY_PATH;
  const ordered: Ordered = {
    reference: payment.reference,
    amount: amountText(payment.amountPaise),
    currency: payment.currency,
    payee,
    successUrl: `${payment.returnOrigin}/order-success`,
    failureUrl: `${payment.returnOrigin}/payment?orderId=${encodeURIComponent(orderId)}&result=failed`,
  };
  const signature = sign(shop.gatewaySecret, signedText(ordered));
  return { url, formParams: { type: 'POST', url, data: { ...ordered, signature } } };
}

/** Reads the fields of a form. Returns undefined where the shop did not sign them like that. */
function signedFields(shop: Shop, field: (name: string) => string | null): Ordered | undefined {
  const names = Object.keys(OrderedSchema.entries);
  const parsed = v.safeParse(OrderedSchema, Object.fromEntries(names.map((name) => [name, field(name)])));
  if (!parsed.success) return undefined;
  const signature = field('signature') ?? undefined;
  return isSignedBy(shop.gatewaySecret, signedText(parsed.output), signature) ? parsed.output : undefined;
}

function refused(context: Context<Env>, shop: Shop): Response | Promise<Response> {
  const text = 'This request does not come from the shop as it was sent. Nothing was paid.';
  return context.html(messagePage('Payment refused', text), 400, pageHeaders(shop.settings.siteOrigins));
}

/** POST /gateway/pay: the page on which a tester decides how the payment ends (resolutions 40). */
export function showCardPage(context: Context<Env>, shop: Shop): Response | Promise<Response> {
  const form = new URLSearchParams(context.get('body'));
  const ordered = signedFields(shop, (name) => form.get(`data[${name}]`));
  if (!ordered) return refused(context, shop);
  const page = choicePage({
    action: `${GATEWAY_PATH}/result`,
    payee: ordered.payee,
    amount: formatPaise(readAmount(ordered.amount) ?? 0),
    reference: ordered.reference,
    hidden: { ...ordered, signature: form.get('data[signature]') ?? '' },
  });
  return context.html(page, 200, pageHeaders(shop.settings.siteOrigins));
}

/** POST /gateway/pay/result: reports to the shop, then sends the shopper back to it. */
export async function reportCardResult(context: Context<Env>, shop: Shop): Promise<Response> {
  const form = new URLSearchParams(context.get('body'));
  const ordered = signedFields(shop, (name) => form.get(name));
  if (!ordered) return refused(context, shop);
  const { reference, amount, currency } = ordered;
  const outcome = form.get('outcome') === 'succeeded' ? 'succeeded' : 'failed';
  const told = await deliverReport(shop.callShop, () =>
    callbackRequest(
      shop.gatewaySecret,
      { reference, outcome, amount, currency },
      Math.floor(shop.clock() / 1_000),
    ),
  );
  if (!told) {
    const text = 'The shop could not be told of this payment. Reload this page to try again.';
    return context.html(
      messagePage('The shop does not answer', text),
      502,
      pageHeaders(shop.settings.siteOrigins),
    );
  }
  return context.redirect(outcome === 'succeeded' ? ordered.successUrl : ordered.failureUrl, 303);
}
