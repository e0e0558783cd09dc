/** Name, and the little that every page needs to know of it: whether somebody may be signed in. */
export const TOKEN_COOKIE = 'auth_token';

const PLACE = new RegExp(`(?:^|; )${TOKEN_COOKIE}=([^;]+)`);

/** As it stands in the cookie, to tell one session from another. */
export const tokenText = (): string | undefined => PLACE.exec(document.cookie)?.[1];

/** Counts as signed in until the server says otherwise (spec 4). */
export const hasToken = (): boolean => tokenText() !== undefined;
