import * as v from 'valibot';
import { key, providerAddress } from '#scripts/api/payments/providers/settings.ts';

export const CashfreeSettings = v.pipe(
  v.object({
    CASHFREE_CLIENT_ID: key,
    CASHFREE_CLIENT_SECRET: key,
    CASHFREE_API_URL: providerAddress('https://api.cashfree.com'),
    /** `on` where Cashfree has switched Order Pay on for the account. */
    CASHFREE_ORDER_PAY: v.optional(v.picklist(['on', 'off'], 'must be on or off'), 'off'),
  }),
  v.transform((environment) => ({
    clientId: environment.CASHFREE_CLIENT_ID,
    clientSecret: environment.CASHFREE_CLIENT_SECRET,
    apiUrl: environment.CASHFREE_API_URL,
    hasOrderPay: environment.CASHFREE_ORDER_PAY === 'on',
  })),
);
