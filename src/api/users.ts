import * as v from 'valibot';
import { type Credentials, normaliseEmail, type PersonName, type Registration } from '#domain/account.ts';
import { languageOf } from '#domain/language.ts';
import { call } from './client.ts';

import type { Result } from './failure.ts';
import { type Device, DeviceReader, EmailConfirmedReader, TokenReader } from './schema/account.ts';

/**
 * POST /users/authorize. The token is undefined if the response holds none that fits into a cookie.
 * @param device what the last sign-in on this device answered
 */
export const authorize = (
  { email, password }: Credentials,
  device: string | undefined,
): Promise<Result<{ token?: string | undefined; device?: string | undefined }>> =>
  call(TokenReader, 'users/authorize', {
    method: 'post',
    anonymous: true,
    json: { email: normaliseEmail(email), password, ...(device ? { device } : {}) },
  });

/** POST /users/register. The body of the response is not read, but HTML is a failure. */
export const register = ({
  email,
  password,
  firstName,
  lastName,
}: Registration): Promise<Result<undefined>> =>
  call(v.undefined(), 'users/register', {
    method: 'post',
    anonymous: true,
    ignoreBody: true,
    json: {
      email: normaliseEmail(email),
      password,
      firstName: firstName.trim(),
      lastName: lastName.trim(),
      ...(__OFFERS__.letters ? { language: languageOf(document.documentElement.lang) } : {}),
    },
  });

/** POST /users/logout: ends this session at the server, also if the page is left meanwhile. */
export const endSession = (token: string): Promise<Result<undefined>> =>
  call(v.undefined(), 'users/logout', {
    method: 'post',
    anonymous: true,
    ignoreBody: true,
    keepalive: true,
    json: {},
    headers: { Authorization: `Bearer ${token}` },
  });

/** GET /users/data: everything that is kept about the user, a list for each kind. */
export const fetchPersonalData = (): Promise<Result<Record<string, unknown>>> =>
  call(v.record(v.string(), v.unknown()), 'users/data');

/** POST /users/delete: has the letter sent whose link deletes the account. */
export const askDeletion = (): Promise<Result<undefined>> =>
  call(v.undefined(), 'users/delete', { method: 'post', ignoreBody: true, json: {} });

/** POST /users/confirm-deletion. @param token of the link */
export const confirmDeletion = (token: string): Promise<Result<undefined>> =>
  call(v.undefined(), 'users/confirm-deletion', {
    method: 'post',
    anonymous: true,
    ignoreBody: true,
    json: { token },
  });

/** POST /users/forgot-password: has a link sent to the email, if an account has it. */
export const askReset = (email: string): Promise<Result<undefined>> =>
  call(v.undefined(), 'users/forgot-password', {
    method: 'post',
    anonymous: true,
    ignoreBody: true,
    json: { email: normaliseEmail(email) },
  });

/** POST /users/reset-password. @param token of the link */
export const resetPassword = (token: string, password: string): Promise<Result<Device>> =>
  call(DeviceReader, 'users/reset-password', {
    method: 'post',
    anonymous: true,
    json: { token, password },
  });

/** POST /users/name. */
export const changeName = ({ firstName, lastName }: PersonName): Promise<Result<undefined>> =>
  call(v.undefined(), 'users/name', {
    method: 'post',
    ignoreBody: true,
    json: { firstName: firstName.trim(), lastName: lastName.trim() },
  });

/** POST /users/email: has a letter sent to both addresses. @param current the present password */
export const changeEmail = (
  email: string,
  current: string,
  device: string | undefined,
): Promise<Result<undefined>> =>
  call(v.undefined(), 'users/email', {
    method: 'post',
    ignoreBody: true,
    json: { email: normaliseEmail(email), current, ...(device ? { device } : {}) },
  });

/** POST /users/password: ends all sessions, and answers with a new one. */
export const changePassword = (
  current: string,
  password: string,
  device: string | undefined,
): Promise<Result<{ token?: string | undefined; device?: string | undefined }>> =>
  call(TokenReader, 'users/password', {
    method: 'post',
    json: { current, password, ...(device ? { device } : {}) },
  });

/** POST /users/confirm-email. @param token of the link */
export const confirmEmail = (token: string): Promise<Result<{ done: boolean }>> =>
  call(EmailConfirmedReader, 'users/confirm-email', { method: 'post', anonymous: true, json: { token } });
