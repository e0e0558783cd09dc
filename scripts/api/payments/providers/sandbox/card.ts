import type { Context } from 'hono';
import * as v from 'valibot';
import { formatPaise, plainAmount, readAmount } from '#domain/money.ts';
import type { PaymentOrder, StartDetails } from '#scripts/api/payments/providers/provider.ts';
import type { Env, Shop } from '#scripts/api/shop/shop.ts';
import { callbackRequest, deliverReport, gatewaySecret, isSignedBy, sign, signedText } from './callback.ts';
import { choicePage, messagePage, pageHeaders } from './page.ts';

const GATEWAY_PATH = '/gateway/pay';

/** What the shop sends to the gateway through the shopper's browser. It is signed, so that nobody can change it there. */
const CardRequestSchema = v.object({
  reference: v.string(),
  amount: v.string(),
  currency: v.string(),
  payee: v.string(),
  successUrl: v.string(),
  failureUrl: v.string(),
});

type CardRequest = v.InferOutput<typeof CardRequestSchema>;

/** The form that takes the shopper to the gateway. */
export function gatewayForm(
  shop: Shop,
  payment: PaymentOrder,
  { orderId, payee, returnOrigin }: StartDetails,
) {
  const url = shop.apiOrigin + GATEWAY_PATH;
  const cardRequest: CardRequest = {
    reference: payment.reference,
    amount: plainAmount(payment.amountPaise),
    currency: payment.currency,
    payee,
    successUrl: `${returnOrigin}/order-success`,
    failureUrl: `${returnOrigin}/payment?orderId=${encodeURIComponent(orderId)}&result=failed`,
  };
  const signature = sign(gatewaySecret(shop), signedText(cardRequest));
  return { url, formParams: { type: 'POST', url, data: { ...cardRequest, signature } } };
}

/** Reads the fields of a form. Returns undefined if the shop's signature does not match them. */
function signedFields(shop: Shop, field: (name: string) => string | null): CardRequest | undefined {
  const names = Object.keys(CardRequestSchema.entries);
  const parsed = v.safeParse(CardRequestSchema, Object.fromEntries(names.map((name) => [name, field(name)])));
  if (!parsed.success) return undefined;
  const signature = field('signature') ?? undefined;
  return isSignedBy(gatewaySecret(shop), signedText(parsed.output), signature) ? parsed.output : undefined;
}

function refused(context: Context<Env>, shop: Shop): Response | Promise<Response> {
  const text = 'This request does not come from the shop as it was sent. Nothing was paid.';
  return context.html(messagePage('Payment refused', text), 400, pageHeaders(shop.settings.siteOrigins));
}

/** POST /gateway/pay: the page on which a tester decides how the payment ends. */
export function showCardPage(context: Context<Env>, shop: Shop): Response | Promise<Response> {
  const form = new URLSearchParams(context.get('body'));
  const cardRequest = signedFields(shop, (name) => form.get(`data[${name}]`));
  if (!cardRequest) return refused(context, shop);
  const page = choicePage({
    action: `${GATEWAY_PATH}/result`,
    payee: cardRequest.payee,
    amount: formatPaise(readAmount(cardRequest.amount) ?? 0),
    reference: cardRequest.reference,
    hidden: { ...cardRequest, signature: form.get('data[signature]') ?? '' },
  });
  return context.html(page, 200, pageHeaders(shop.settings.siteOrigins));
}

/** POST /gateway/pay/result: reports to the shop, then sends the shopper back to it. */
export async function reportCardResult(context: Context<Env>, shop: Shop): Promise<Response> {
  const form = new URLSearchParams(context.get('body'));
  const cardRequest = signedFields(shop, (name) => form.get(name));
  if (!cardRequest) return refused(context, shop);
  const { reference, amount, currency } = cardRequest;
  const outcome = form.get('outcome') === 'succeeded' ? 'succeeded' : 'failed';
  const delivered = await deliverReport(shop.callShop, () =>
    callbackRequest(
      gatewaySecret(shop),
      { reference, outcome, amount, currency },
      Math.floor(shop.clock() / 1_000),
    ),
  );
  if (!delivered) {
    const text = 'The shop could not be told of this payment. Reload this page to try again.';
    return context.html(
      messagePage('The shop does not answer', text),
      502,
      pageHeaders(shop.settings.siteOrigins),
    );
  }
  return context.redirect(outcome === 'succeeded' ? cardRequest.successUrl : cardRequest.failureUrl, 303);
}
