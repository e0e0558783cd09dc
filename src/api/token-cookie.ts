/*
 * For the inline scripts and the script of every page, which only check for a token. js-cookie would add 639 bytes to
 * every first page. All other code uses token.ts.
 */

export const TOKEN_COOKIE = 'auth_token';

/** The cookie's value, not decoded. */
export const tokenText = (): string | undefined =>
  new RegExp(`(?:^|; )${TOKEN_COOKIE}=([^;]+)`).exec(document.cookie)?.[1];

/** The visitor counts as signed in until the API responds with 401. */
export const hasToken = (): boolean => tokenText() !== undefined;
