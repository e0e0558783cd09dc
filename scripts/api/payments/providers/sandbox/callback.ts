import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import type { CallShop } from '#scripts/api/shop/shop.ts';
import { sign } from './signature.ts';

export const CALLBACK_PATH = '/api/v1/payments/callback';

export const TIMESTAMP_HEADER = 'Gateway-Timestamp';

export const SIGNATURE_HEADER = 'Gateway-Signature';

/** How long the gateway waits before each attempt to reach the shop, in ms. */
const WAITS = [0, 150, 600, 1_500];

/**
 * The gateway's report of how a payment ended. An invalid amount or currency becomes '', which equals that of no
 * payment, so the payment does not become paid.
 */
export const CallbackSchema = v.object({
  reference: v.pipe(v.string(), v.maxLength(100)),
  outcome: v.picklist(['succeeded', 'failed']),
  amount: v.fallback(v.pipe(v.string(), v.regex(/^\d{1,14}\.\d{2}$/)), ''),
  currency: v.fallback(v.pipe(v.string(), v.length(3)), ''),
});

export type Callback = v.InferOutput<typeof CallbackSchema>;

/** Makes the gateway's signed request to the shop. @param seconds since 1970 */
export function callbackRequest(secret: string, callback: Callback, seconds: number): RequestInit {
  const body = JSON.stringify(callback);
  return {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      [TIMESTAMP_HEADER]: String(seconds),
      [SIGNATURE_HEADER]: sign(secret, `${seconds}.${body}`),
    },
    body,
  };
}

/**
 * Reports to the shop, again if that fails, and returns whether the shop took the report. Each attempt makes a new
 * request, because the shop refuses old timestamps.
 */
export async function deliverReport(callShop: CallShop, makeRequest: () => RequestInit): Promise<boolean> {
  for (const wait of WAITS) {
    await pause(wait);
    const answer = await callShop(CALLBACK_PATH, makeRequest()).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) return true;
  }
  return false;
}
