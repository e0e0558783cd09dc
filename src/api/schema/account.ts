import * as v from 'valibot';
import type { Account } from '#domain/account.ts';
import { text, unwrapped } from './lenient.ts';

/** GET /accountInfo: the account, either bare or wrapped in `data`. */
export const AccountSchema = v.pipe(
  unwrapped(
    v.object({
      firstName: text(200),
      lastName: text(200),
      email: v.pipe(v.string(), v.minLength(3), v.maxLength(320)),
      createdAt: text(40),
      newEmail: text(320),
    }),
  ),
  v.transform((account): Account => account),
);

/** Characters that a cookie may hold without quotes: cookie-octets of RFC 6265. */
const TOKEN = /^[\x21\x23-\x2B\x2D-\x3A\x3C-\x5B\x5D-\x7E]{1,4096}$/;

/** A random token by which the API recognises this device. */
const DEVICE = /^[\w.~+/=-]{16,200}$/;

/** POST /users/authorize. `token` is undefined if the response has none that fits into a cookie. */
export const TokenSchema = unwrapped(
  v.object({
    token: v.fallback(v.optional(v.pipe(v.string(), v.regex(TOKEN))), undefined),
    device: v.fallback(v.optional(v.pipe(v.string(), v.regex(DEVICE))), undefined),
  }),
);

/** POST /users/reset-password. A backend without known devices may return anything else. */
export const DeviceSchema = v.fallback(
  unwrapped(v.object({ device: v.optional(v.pipe(v.string(), v.regex(DEVICE))) })),
  {},
);

export type Device = v.InferOutput<typeof DeviceSchema>;

/** POST /users/confirm-email. `done` says whether both addresses have confirmed. */
export const EmailConfirmedSchema = unwrapped(v.object({ done: v.boolean() }));
