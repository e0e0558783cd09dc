import { createHmac } from 'node:crypto';
import { isHmac } from '#scripts/api/payments/providers/signature.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';

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
