import { createHmac, timingSafeEqual } from 'node:crypto';

/** HMAC-SHA256 as hexadecimal. */
export const sign = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('hex');

/** Whether the signature is the text's, in constant time. */
export function isSignedBy(secret: string, text: string, signature: string | undefined): boolean {
  const right = Buffer.from(sign(secret, text));
  const given = Buffer.from(signature ?? '');
  return given.length === right.length && timingSafeEqual(given, right);
}

/** What is signed of a set of fields: name and value in a fixed order, so that none can be moved or added. */
export const signedText = (fields: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
