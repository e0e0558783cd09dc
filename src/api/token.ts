import Cookies from 'js-cookie';
import { TOKEN_COOKIE } from './token-cookie.ts';

const DAYS = 30;

const attributes = () => ({ path: '/', sameSite: 'lax', secure: location.protocol === 'https:' }) as const;

export const readToken = (): string | undefined => Cookies.get(TOKEN_COOKIE) || undefined;

/** Stores the token for the whole site. TokenSchema has checked that it needs no quoting. */
export const storeToken = (token: string): void =>
  void Cookies.set(TOKEN_COOKIE, token, { ...attributes(), expires: DAYS });

export const deleteToken = (): void => Cookies.remove(TOKEN_COOKIE, attributes());
