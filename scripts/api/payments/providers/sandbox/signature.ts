import { createHmac } from 'node:crypto';
import { isHmac } from '#scripts/api/payments/providers/signature.ts';

/** The HMAC-SHA256 of a text, in hexadecimal. */
export const sign = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('hex');

/** Compares in constant time. */
export const isSignedBy = (secret: string, text: string, signature: string | undefined): boolean =>
  isHmac('hex', secret, text, signature);

/** The text that is signed for a set of fields: all names and values in a fixed order, so that none can be moved or added. */
export const signedText = (fields: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
