import { createHash, randomBytes, randomUUID } from 'node:crypto';

/** Generates identifiers. Tests replace it. */
export interface Ids {
  readonly account: () => string;
  /** 122 random bits. */
  readonly order: () => string;
  /** 256 random bits. */
  readonly token: () => string;
  /** UPI allows at most 35 letters and digits. */
  readonly payment: () => string;
  readonly email: () => string;
  readonly return: () => string;
}

export const randomIds: Ids = {
  account: () => randomUUID(),
  order: () => randomUUID(),
  token: () => randomBytes(32).toString('base64url'),
  email: () => randomUUID(),
  return: () => randomUUID(),
  payment: () => `FF${randomBytes(16).toString('hex').slice(0, 30).toUpperCase()}`,
};

/** Returns the hash of a session, link or device token. The token itself is never stored. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('base64url');
