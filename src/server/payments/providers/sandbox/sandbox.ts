import { plainAmount } from '#domain/money.ts';
import { PAYMENT_VALID_MS } from '#domain/payment.ts';
import type {
  PaymentOrder,
  PaymentProvider,
  ProviderRow,
  StartDetails,
} from '#server/payments/providers/provider.ts';
import type { Services } from '#server/services/services.ts';

export const METHODS = { qr: 'UPI QR', app: 'UPI app', card: 'Card or net banking' } as const;

export const PAYEE_ADDRESS = 'freshfruits@sandbox';

/** Where the storefront's form leads for a card, as to a bank. */
export const CARD_PATH = '/gateway/pay';

/** The `upi://pay?…` link that UPI apps read: payee, amount, currency, reference, note. */
function upiLink(
  { amountPaise, currency, reference }: PaymentOrder,
  { orderNumber, payee }: Pick<StartDetails, 'orderNumber' | 'payee'>,
): string {
  const query = new URLSearchParams({
    pa: PAYEE_ADDRESS,
    pn: payee,
    am: plainAmount(amountPaise),
    cu: currency,
    tr: reference,
    tn: `Order ${orderNumber}`,
  });
  return `upi://pay?${query.toString().replaceAll('+', '%20')}`;
}

/**
 * A gateway of the shop's own: on its pages (`gateway.tsx`) the tester decides how a payment ends. It has no webhook.
 */
function createSandbox(services: Services): PaymentProvider {
  return {
    title: 'Sandbox',
    isTest: true,
    methods: () => Object.values(METHODS),
    start: async (payment, details) => {
      if (payment.method === METHODS.card) {
        const url = `${services.apiOrigin}${CARD_PATH}`;
        const formParams = { type: 'POST', url, data: { reference: payment.reference } };
        return { action: { type: 'redirect_post', redirectUrl: url, formParams } };
      }
      const link = upiLink(payment, details);
      return payment.method === METHODS.app
        ? { action: { type: 'deeplink', redirectUrl: link } }
        : { action: { type: 'qr', qr: link } };
    },
    // It stores nothing: a payment without a decision in its time was not paid.
    poll: async ({ createdAt }) => ({
      outcome: services.clock() - createdAt > PAYMENT_VALID_MS ? 'ended' : 'open',
    }),
    refund: async () => ({ state: 'done' }),
  };
}

export const SANDBOX: ProviderRow = {
  settings: {},
  create: (_environment, services) => createSandbox(services),
};
