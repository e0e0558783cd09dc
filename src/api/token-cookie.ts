/* Apart from token.ts, because the script of every page needs only this. */

export const TOKEN_COOKIE = 'auth_token';

const COOKIE_VALUE = new RegExp(`(?:^|; )${TOKEN_COOKIE}=([^;]+)`);

/** The value of the cookie, to tell sessions apart. */
export const tokenText = (): string | undefined => COOKIE_VALUE.exec(document.cookie)?.[1];

/** The visitor counts as signed in until the server says otherwise (spec 4). */
export const hasToken = (): boolean => tokenText() !== undefined;
