import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import { isHmac } from '#scripts/api/payments/providers/signature.ts';
import type { CallShop, Shop } from '#scripts/api/shop/shop.ts';

/** The HMAC-SHA256 of a text, in hexadecimal. */
export const sign = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('hex');

/** Compares in constant time. */
export const isSignedBy = (secret: string, text: string, signature: string | undefined): boolean =>
  isHmac('hex', secret, text, signature);

/** The secret of the sandbox. Only a shop whose payments the sandbox takes has one. */
export function gatewaySecret({ settings }: Pick<Shop, 'settings'>): string {
  if (settings.gatewaySecret === undefined)
    throw new Error('A shop without the sandbox has no secret of it.');
  return settings.gatewaySecret;
}

/** The text that is signed for a set of fields: all names and values in a fixed order, so that none can be moved or added. */
export const signedText = (fields: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));

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
