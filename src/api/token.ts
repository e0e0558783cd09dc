import Cookies from 'js-cookie';
import { apiBase } from './addresses.ts';
import { CALL_OPTIONS } from './early-requests.ts';
import { TOKEN_COOKIE } from './token-cookie.ts';

const DAYS = 30;

const attributes = () => ({ path: '/', sameSite: 'lax', secure: location.protocol === 'https:' }) as const;

export const readToken = (): string | undefined => Cookies.get(TOKEN_COOKIE) || undefined;

/** Stores the token for the whole site. TokenSchema has checked that it needs no quoting. */
export const storeToken = (token: string): void =>
  void Cookies.set(TOKEN_COOKIE, token, { ...attributes(), expires: DAYS });

export const deleteToken = (): void => Cookies.remove(TOKEN_COOKIE, attributes());

/** POST /users/logout. Waits for no other code, and completes even if the visitor leaves the page. */
export const endSession = (token: string): Promise<Response> =>
  fetch(`${apiBase()}/users/logout`, {
    ...CALL_OPTIONS,
    method: 'POST',
    keepalive: true,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: '{}',
  });
