import type { Context } from 'hono';
import { formatPaise, plainAmount, readAmount } from '#domain/money.ts';
import { Refusal } from '#scripts/api/http/refusal.ts';
import type { PaymentOrder, StartDetails } from '#scripts/api/payments/providers/provider.ts';
import { findPayment } from '#scripts/api/payments/stored-payments.ts';
import type { Env, Shop } from '#scripts/api/shop/shop.ts';
import { callbackRequest, deliverReport, gatewaySecret } from './callback.ts';
import { choicePage, messagePage, pageHeaders } from './page.ts';

const PAYEE_ADDRESS = 'freshfruits@sandbox';

const UPI_PATH = '/gateway/upi';

/** The `upi://pay?…` link that UPI apps read: payee, amount, currency, reference, note. */
export function upiLink(
  { amountPaise, currency, reference }: PaymentOrder,
  { orderId, payee }: Pick<StartDetails, 'orderId' | 'payee'>,
): string {
  const query = {
    pa: PAYEE_ADDRESS,
    pn: payee,
    am: plainAmount(amountPaise),
    cu: currency,
    tr: reference,
    tn: `Order ${orderId.slice(0, 8)}`,
  };
  return `upi://pay?${Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`;
}

/** The address of the page that stands in for the shopper's UPI app. */
export const upiPage = (shop: Shop, { reference }: { readonly reference: string }): string =>
  `${shop.apiOrigin}${UPI_PATH}?tr=${encodeURIComponent(reference)}`;

interface Transfer {
  readonly reference: string;
  readonly amount: string;
  readonly currency: string;
}

/** Reads the fields of a link. An app pays what its link says, so a tester may change amount and currency there. */
async function transferOf(shop: Shop, field: (name: string) => string | null | undefined): Promise<Transfer> {
  const payment = await findPayment(shop.db, field('tr') ?? '');
  const amount = field('am') ?? (payment && plainAmount(payment.amountPaise)) ?? '';
  const currency = field('cu') ?? payment?.currency ?? '';
  if (!payment || readAmount(amount) === undefined || currency.length !== 3) {
    throw new Refusal(404, 'There is no such payment');
  }
  return { reference: payment.reference, amount, currency };
}

/** GET /gateway/upi?tr=REFERENCE: the page that stands in for the shopper's UPI app. */
export async function showUpiPage(context: Context<Env>, shop: Shop): Promise<Response> {
  const { reference, amount, currency } = await transferOf(shop, (name) => context.req.query(name));
  const page = choicePage({
    action: `${UPI_PATH}/result`,
    payee: PAYEE_ADDRESS,
    amount: formatPaise(readAmount(amount) ?? 0),
    reference,
    hidden: { tr: reference, am: amount, cu: currency },
  });
  return context.html(page, 200, pageHeaders(shop.settings.siteOrigins));
}

const ENDINGS = {
  succeeded: ['Payment made', 'You can go back to the shop now.'],
  failed: ['Payment failed', 'Nothing was paid. You can try again in the shop.'],
} as const;

/** POST /gateway/upi/result: reports to the shop. */
export async function reportUpiResult(context: Context<Env>, shop: Shop): Promise<Response> {
  const form = new URLSearchParams(context.get('body'));
  const transfer = await transferOf(shop, (name) => form.get(name));
  const outcome = form.get('outcome') === 'succeeded' ? 'succeeded' : 'failed';
  const delivered = await deliverReport(shop.callShop, () =>
    callbackRequest(gatewaySecret(shop), { ...transfer, outcome }, Math.floor(shop.clock() / 1_000)),
  );
  const [title, text] = delivered
    ? ENDINGS[outcome]
    : ['The shop does not answer', 'Reload this page to try again.'];
  return context.html(
    messagePage(title, text),
    delivered ? 200 : 502,
    pageHeaders(shop.settings.siteOrigins),
  );
}
