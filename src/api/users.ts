import * as v from 'valibot';
import { type Credentials, type CustomerName, normaliseEmail, type Registration } from '#domain/account.ts';
import { languageOf } from '#domain/language.ts';
import { type Call, call } from './client.ts';
import type { Result } from './failure.ts';
import { type Device, DeviceSchema, EmailConfirmedSchema, TokenSchema } from './schema/account.ts';

export type SignedIn = v.InferOutput<typeof TokenSchema>;

/** A POST whose response body is ignored, except that HTML is a failure. */
const post = (path: string, json: object, options: Call = {}): Promise<Result<undefined>> =>
  call(v.undefined(), `users/${path}`, { ...options, method: 'post', ignoreBody: true, json });

/**
 * POST /users/authorize. The token is undefined if the response holds none that fits into a cookie.
 * @param device from the last sign-in on this device
 */
export const authorize = (
  { email, password }: Credentials,
  device: string | undefined,
): Promise<Result<SignedIn>> =>
  call(TokenSchema, 'users/authorize', {
    method: 'post',
    anonymous: true,
    json: { email: normaliseEmail(email), password, ...(device ? { device } : {}) },
  });

/** POST /users/register. */
export const register = ({
  email,
  password,
  firstName,
  lastName,
}: Registration): Promise<Result<undefined>> =>
  post(
    'register',
    {
      email: normaliseEmail(email),
      password,
      firstName: firstName.trim(),
      lastName: lastName.trim(),
      ...(__CAPABILITIES__.emails ? { language: languageOf(document.documentElement.lang) } : {}),
    },
    { anonymous: true },
  );

/** POST /users/logout. Completes even if the visitor leaves the page. */
export const endSession = (token: string): Promise<Result<undefined>> =>
  post('logout', {}, { anonymous: true, keepalive: true, headers: { Authorization: `Bearer ${token}` } });

/** GET /users/data: everything stored about the customer, a list for each kind. */
export const fetchPersonalData = (): Promise<Result<Record<string, unknown>>> =>
  call(v.record(v.string(), v.unknown()), 'users/data');

/** POST /users/delete: the API emails a link that deletes the account. */
export const requestDeletion = (): Promise<Result<undefined>> => post('delete', {});

/** POST /users/confirm-deletion. @param token of the link */
export const confirmDeletion = (token: string): Promise<Result<undefined>> =>
  post('confirm-deletion', { token }, { anonymous: true });

/** POST /users/forgot-password: the API emails a link if an account has this address. */
export const requestReset = (email: string): Promise<Result<undefined>> =>
  post('forgot-password', { email: normaliseEmail(email) }, { anonymous: true });

/** POST /users/reset-password. @param token of the link */
export const resetPassword = (token: string, password: string): Promise<Result<Device>> =>
  call(DeviceSchema, 'users/reset-password', {
    method: 'post',
    anonymous: true,
    json: { token, password },
  });

/** POST /users/name. */
export const changeName = ({ firstName, lastName }: CustomerName): Promise<Result<undefined>> =>
  post('name', { firstName: firstName.trim(), lastName: lastName.trim() });

/** POST /users/email: the API emails both addresses. @param current the current password */
export const changeEmail = (
  email: string,
  current: string,
  device: string | undefined,
): Promise<Result<undefined>> =>
  post('email', { email: normaliseEmail(email), current, ...(device ? { device } : {}) });

/** POST /users/password: ends all sessions and returns a new one. */
export const changePassword = (
  current: string,
  password: string,
  device: string | undefined,
): Promise<Result<SignedIn>> =>
  call(TokenSchema, 'users/password', {
    method: 'post',
    json: { current, password, ...(device ? { device } : {}) },
  });

/** POST /users/confirm-email. @param token of the link */
export const confirmEmail = (token: string): Promise<Result<{ done: boolean }>> =>
  call(EmailConfirmedSchema, 'users/confirm-email', { method: 'post', anonymous: true, json: { token } });
