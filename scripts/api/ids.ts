import { randomBytes, randomUUID } from 'node:crypto';

/** Where identifiers come from; tests bring their own. */
export interface Ids {
  readonly user: () => string;
  /** 122 random bits (faults 71). */
  readonly order: () => string;
  /** 256 random bits. */
  readonly token: () => string;
  /** Of a payment, as the gateway and UPI apps show it: at most 35 letters and digits. */
  readonly payment: () => string;
}

export const randomIds: Ids = {
  user: () => randomUUID(),
  order: () => randomUUID(),
  token: () => randomBytes(32).toString('base64url'),
  payment: () => `FF${randomBytes(16).toString('hex').slice(0, 30).toUpperCase()}`,
};
