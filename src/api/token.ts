import Cookies from 'js-cookie';
import { TOKEN_COOKIE } from './token-cookie.ts';

const DAYS = 30;

const attributes = () => ({ path: '/', sameSite: 'lax', secure: location.protocol === 'https:' }) as const;

const listeners = new Set<() => void>();

/** Calls the listener after this tab stored or deleted the token. Returns a function that stops it. */
export function onTokenChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const notify = (): void => {
  for (const listener of listeners) listener();
};

export const readToken = (): string | undefined => Cookies.get(TOKEN_COOKIE) || undefined;

/** Stores the token for 30 days, on the whole site. TokenReader has checked that it needs no quoting. */
export function keepToken(token: string): void {
  Cookies.set(TOKEN_COOKIE, token, { ...attributes(), expires: DAYS });
  notify();
}

export function deleteToken(): void {
  Cookies.remove(TOKEN_COOKIE, attributes());
  notify();
}
