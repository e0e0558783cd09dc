/* A separate module, because every page needs it, but not the cookie library that token.ts loads. */

export const TOKEN_COOKIE = 'auth_token';

const COOKIE_VALUE = new RegExp(`(?:^|; )${TOKEN_COOKIE}=([^;]+)`);

/** The cookie's value as in `document.cookie`, not decoded. Each session has its own. */
export const tokenText = (): string | undefined => COOKIE_VALUE.exec(document.cookie)?.[1];

/** The visitor counts as signed in until the API responds with 401. */
export const hasToken = (): boolean => tokenText() !== undefined;
