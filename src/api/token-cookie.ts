/** Name, and the little that every page needs to know of it: whether somebody may be signed in. */
export const TOKEN_COOKIE = 'auth_token';

/** Counts as signed in until the server says otherwise (spec 4). */
export function hasToken(): boolean {
  return document.cookie
    .split('; ')
    .some((cookie) => cookie.startsWith(`${TOKEN_COOKIE}=`) && cookie.length > 11);
}
