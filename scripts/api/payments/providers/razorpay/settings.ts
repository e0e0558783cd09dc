import * as v from 'valibot';
import { key, providerAddress } from '#scripts/api/payments/providers/settings.ts';

export const RazorpaySettings = v.pipe(
  v.object({
    RAZORPAY_KEY_ID: key,
    RAZORPAY_KEY_SECRET: key,
    RAZORPAY_WEBHOOK_SECRET: key,
    RAZORPAY_API_URL: providerAddress('https://api.razorpay.com'),
  }),
  v.transform((environment) => ({
    keyId: environment.RAZORPAY_KEY_ID,
    keySecret: environment.RAZORPAY_KEY_SECRET,
    webhookSecret: environment.RAZORPAY_WEBHOOK_SECRET,
    apiUrl: environment.RAZORPAY_API_URL,
  })),
);
