import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whether the signature is the HMAC-SHA256 of the text. Compares in constant time. */
export function isHmac(
  encoding: 'hex' | 'base64',
  secret: string,
  text: string,
  signature: string | null | undefined,
): boolean {
  const right = Buffer.from(createHmac('sha256', secret).update(text).digest(encoding));
  const given = Buffer.from(signature ?? '');
  return given.length === right.length && timingSafeEqual(given, right);
}
