import { key, providerAddress } from '#scripts/api/payments/providers/settings.ts';
import { type Environment, hidden, parseSettings, type Settings } from '#scripts/program/setting.ts';

export const RAZORPAY_SETTINGS = {
  RAZORPAY_KEY_ID: { schema: key, meaning: "razorpay: the account's key." },
  RAZORPAY_KEY_SECRET: { schema: key, meaning: 'razorpay: its secret.', shown: hidden },
  RAZORPAY_WEBHOOK_SECRET: {
    schema: key,
    meaning: "razorpay: the secret of the webhook, which you choose in Razorpay's dashboard.",
    shown: hidden,
  },
  RAZORPAY_API_URL: {
    schema: providerAddress('https://api.razorpay.com'),
    meaning: "razorpay: the address of Razorpay's API.",
  },
} satisfies Settings;

export const readRazorpaySettings = (environment: Environment) => {
  const env = parseSettings(RAZORPAY_SETTINGS, environment);
  return {
    keyId: env.RAZORPAY_KEY_ID,
    keySecret: env.RAZORPAY_KEY_SECRET,
    webhookSecret: env.RAZORPAY_WEBHOOK_SECRET,
    apiUrl: env.RAZORPAY_API_URL,
  };
};
