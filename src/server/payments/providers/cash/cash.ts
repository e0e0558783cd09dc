import { formatRupees, toPaise } from '#domain/money.ts';
import type { CashLimits, PaymentProvider, ProviderRow } from '#server/payments/providers/provider.ts';

/** In PAYMENT_PROVIDERS and the database. */
export const CASH_NAME = 'cod';

const METHOD = 'Cash on delivery';

const rulesText = ({ most, pinCodes }: CashLimits): string => {
  const amount =
    most === null ? 'Offered for orders of any amount' : `Offered for orders up to ${formatRupees(most)}`;
  const places = pinCodes.length === 0 ? 'everywhere' : `to PIN codes ${pinCodes.join(', ')}`;
  return `${amount}, ${places}. Change this on the page Store.`;
};

/** Cash on delivery, without a provider: staff book what came, and what was given back. */
function createCash(): PaymentProvider {
  return {
    title: 'Cash on delivery',
    isTest: false,
    isPaidAtDoor: true,
    rules: rulesText,
    methods: ({ totalPaise, postalCode, cashLimits: { most, pinCodes } }) => {
      const code = postalCode.replaceAll(' ', '');
      const isServed = pinCodes.length === 0 || pinCodes.some((start) => code.startsWith(start));
      return isServed && (most === null || totalPaise <= toPaise(most)) ? [METHOD] : [];
    },
    start: async (_attempt, { returnOrigin }) => ({ redirectUrl: `${returnOrigin}/order-success` }),
    poll: async () => ({ outcome: 'open' }),
    refund: async () => ({ state: 'failed', providerMessage: 'Cash is given back by hand.' }),
  };
}

export const CASH: ProviderRow = { settings: {}, create: createCash };
