import Cookies from 'js-cookie';
import { TOKEN_COOKIE } from './token-cookie.ts';

const DAYS = 30;

const attributes = () => ({ path: '/', sameSite: 'lax', secure: location.protocol === 'https:' }) as const;

const listeners = new Set<() => void>();

/** Called after the token was kept or deleted by this tab; returns the way to stop listening. */
export function onTokenChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const changed = (): void => {
  for (const listener of listeners) listener();
};

export const readToken = (): string | undefined => Cookies.get(TOKEN_COOKIE) || undefined;

/** For 30 days, on the whole site (spec 9). The token has passed WireToken and needs no quoting. */
export function keepToken(token: string): void {
  Cookies.set(TOKEN_COOKIE, token, { ...attributes(), expires: DAYS });
  changed();
}

export function deleteToken(): void {
  Cookies.remove(TOKEN_COOKIE, attributes());
  changed();
}
