import { createHash, randomBytes, randomInt } from 'node:crypto';
import { SUFFIX_LENGTH, SUFFIX_SIGNS } from '#domain/order-number.ts';

/** 256 random bits. */
export const randomToken = (): string => randomBytes(32).toString('base64url');

/** The reference of a payment, or the key of a refund. UPI allows at most 35 letters and digits. */
export const randomReference = (): string => `FF${randomBytes(15).toString('hex').toUpperCase()}`;

/** The last signs of an order's number: 20 random bits. */
export const randomSuffix = (): string =>
  Array.from({ length: SUFFIX_LENGTH }, () => SUFFIX_SIGNS[randomInt(SUFFIX_SIGNS.length)]).join('');

/** Returns the hash of a session, link or device token. The token itself is never stored. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('base64url');
