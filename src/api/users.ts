import * as v from 'valibot';
import type { Credentials, CustomerName, Registration } from '#domain/account.ts';
import { canonicalEmail } from '#domain/email.ts';
import { languageOf } from '#domain/language.ts';
import { tidyText } from '#domain/text.ts';
import { type Call, call } from './client.ts';
import type { Result } from './failure.ts';
import { type Device, DeviceSchema, EmailConfirmedSchema, TokenSchema } from './schema/account.ts';

export type SignedIn = v.InferOutput<typeof TokenSchema>;

/** POST /users/{path} with a JSON body. */
const post = <Schema extends v.GenericSchema>(
  schema: Schema,
  path: string,
  json: object,
  options: Call = {},
): Promise<Result<v.InferOutput<Schema>>> =>
  call(schema, `users/${path}`, { ...options, method: 'post', json });

/** A POST whose response body is ignored, except that HTML is a failure. */
const postOnly = (path: string, json: object, options: Call = {}): Promise<Result<undefined>> =>
  post(v.undefined(), path, json, { ...options, ignoreBody: true });

const ANONYMOUS = { anonymous: true } as const;

/**
 * POST /users/authorize. The token is undefined if the response holds none that fits into a cookie.
 * @param device from the last sign-in on this device
 */
export const authorize = ({ email, password }: Credentials, device?: string): Promise<Result<SignedIn>> =>
  post(TokenSchema, 'authorize', { email: canonicalEmail(email), password, device }, ANONYMOUS);

/** POST /users/register. */
export const register = ({
  email,
  password,
  firstName,
  lastName,
}: Registration): Promise<Result<undefined>> => {
  const language = __CAPABILITIES__.emails ? languageOf(document.documentElement.lang) : undefined;
  const names = { firstName: tidyText(firstName), lastName: tidyText(lastName) };
  return postOnly('register', { email: canonicalEmail(email), password, ...names, language }, ANONYMOUS);
};

/** GET /users/data: everything stored about the customer, a list for each kind. */
export const fetchPersonalData = (): Promise<Result<Record<string, unknown>>> =>
  call(v.record(v.string(), v.unknown()), 'users/data');

/** POST /users/delete: the API emails a link that deletes the account. @param current the current password */
export const requestDeletion = (current: string, device?: string): Promise<Result<undefined>> =>
  postOnly('delete', { current, device });

/** POST /users/confirm-deletion. @param token of the link */
export const confirmDeletion = (token: string): Promise<Result<undefined>> =>
  postOnly('confirm-deletion', { token }, ANONYMOUS);

/** POST /users/forgot-password: the API emails a link if an account has this address. */
export const requestReset = (email: string): Promise<Result<undefined>> =>
  postOnly('forgot-password', { email: canonicalEmail(email) }, ANONYMOUS);

/** POST /users/reset-password. @param token of the link */
export const resetPassword = (token: string, password: string): Promise<Result<Device>> =>
  post(DeviceSchema, 'reset-password', { token, password }, ANONYMOUS);

/** POST /users/name. */
export const changeName = ({ firstName, lastName }: CustomerName): Promise<Result<undefined>> =>
  postOnly('name', { firstName: tidyText(firstName), lastName: tidyText(lastName) });

/** POST /users/email: the API emails both addresses. @param current the current password */
export const changeEmail = (email: string, current: string, device?: string): Promise<Result<undefined>> =>
  postOnly('email', { email: canonicalEmail(email), current, device });

/** POST /users/password: ends all sessions and returns a new one. */
export const changePassword = (
  current: string,
  password: string,
  device?: string,
): Promise<Result<SignedIn>> => post(TokenSchema, 'password', { current, password, device });

/** POST /users/confirm-email. @param token of the link @param current the password, unless the account is signed in */
export const confirmEmail = (
  token: string,
  current?: string,
  device?: string,
): Promise<Result<{ done: boolean }>> =>
  post(EmailConfirmedSchema, 'confirm-email', { token, current, device });

/** POST /users/not-mine. @param token of the link */
export const rejectAccount = (token: string): Promise<Result<undefined>> =>
  postOnly('not-mine', { token }, ANONYMOUS);
