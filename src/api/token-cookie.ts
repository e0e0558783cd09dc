/* A module of its own, because the script of every page needs it, but not the cookie library that token.ts loads. */

export const TOKEN_COOKIE = 'auth_token';

const COOKIE_VALUE = new RegExp(`(?:^|; )${TOKEN_COOKIE}=([^;]+)`);

/** The value of the cookie, as it is in `document.cookie`. A new session has another value. */
export const tokenText = (): string | undefined => COOKIE_VALUE.exec(document.cookie)?.[1];

/** The visitor counts as signed in until the server says otherwise. */
export const hasToken = (): boolean => tokenText() !== undefined;
