import * as v from 'valibot';
import { key, providerAddress } from '#scripts/api/payments/providers/settings.ts';
import { type Environment, hidden, onOff, parseSettings, type Settings } from '#scripts/program/setting.ts';

export const CASHFREE_SETTINGS = {
  CASHFREE_CLIENT_ID: { schema: key, meaning: "cashfree: the account's key." },
  CASHFREE_CLIENT_SECRET: {
    schema: key,
    meaning: 'cashfree: its secret.',
    shown: hidden,
  },
  CASHFREE_API_URL: {
    schema: providerAddress('https://api.cashfree.com'),
    meaning: 'cashfree: https://sandbox.cashfree.com for test keys.',
  },
  CASHFREE_ORDER_PAY: {
    schema: v.optional(onOff, 'off'),
    meaning:
      'cashfree: on where Cashfree has switched Order Pay on for the account. UPI inside the shop needs it.',
  },
} satisfies Settings;

export const readCashfreeSettings = (environment: Environment) => {
  const env = parseSettings(CASHFREE_SETTINGS, environment);
  return {
    clientId: env.CASHFREE_CLIENT_ID,
    clientSecret: env.CASHFREE_CLIENT_SECRET,
    apiUrl: env.CASHFREE_API_URL,
    hasOrderPay: env.CASHFREE_ORDER_PAY === 'on',
  };
};
