import { PAYMENT_VALID_MS } from '#domain/payment.ts';
import type { PaymentProvider, ProviderRow } from '#scripts/api/payments/providers/provider.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { gatewayForm } from './card.ts';
import { upiLink } from './upi.ts';

export const METHODS = { qr: 'UPI QR', app: 'UPI app', card: 'Card or net banking' } as const;

/**
 * The shop's own gateway, in which whoever pays decides how it ends. Its reports come by
 * POST /payments/callback, so that it has no webhook besides.
 */
function createSandbox(shop: Shop): PaymentProvider {
  return {
    title: 'Sandbox',
    isTest: true,
    ways: () => Object.values(METHODS),
    start: async (payment, details) => {
      if (payment.method === METHODS.card) {
        const { url, formParams } = gatewayForm(shop, payment, details);
        return { action: { type: 'redirect_post', redirectUrl: url, formParams } };
      }
      const link = upiLink(payment, details);
      return payment.method === METHODS.app
        ? { action: { type: 'deeplink', redirectUrl: link } }
        : { action: { type: 'qr', qr: link } };
    },
    read: () => ({ kind: 'refused', status: 401, reason: 'the sandbox has no webhook' }),
    // It remembers nothing: what it did not report within the time of a payment was not paid.
    ask: async ({ createdAt, currency }) => ({
      outcome: shop.clock() - createdAt > PAYMENT_VALID_MS ? 'ended' : 'open',
      amountPaise: undefined,
      currency,
    }),
    refund: async () => ({ state: 'refunded' }),
    check: async () => undefined,
  };
}

export const SANDBOX: ProviderRow = { settings: {}, create: (_environment, shop) => createSandbox(shop) };
