import type { Paise } from '#domain/money.ts';
import type { PaymentProvider } from '#scripts/api/payments/providers/provider.ts';

const WAY = 'Cash on delivery';

export interface CashRules {
  /** The highest order that may be paid at the door, in paise. */
  readonly most: Paise;
  /** The PIN codes where the courier takes cash, or how they begin; none: everywhere. */
  readonly pinCodes: readonly string[];
}

/** Cash at the door. No provider stands behind it: an owner marks what the courier brought, and pays back by hand. */
export function createCash({ most, pinCodes }: CashRules): PaymentProvider {
  return {
    title: 'Cash on delivery',
    isTest: false,
    isPaidAtDoor: true,
    ways: ({ totalPaise, postalCode }) => {
      const code = postalCode.replaceAll(' ', '');
      const isServed = pinCodes.length === 0 || pinCodes.some((start) => code.startsWith(start));
      return isServed && totalPaise <= most ? [WAY] : [];
    },
    start: async (_payment, { returnOrigin }) => ({ redirectUrl: `${returnOrigin}/order-success` }),
    read: () => ({ kind: 'refused', status: 401, reason: 'cash has no webhook' }),
    ask: async ({ currency }) => ({ outcome: 'open', amountPaise: undefined, currency }),
    refund: async () => ({
      state: 'refund_failed',
      text: 'Cash is given back by hand. Note the reference here.',
    }),
    check: async () => undefined,
  };
}
