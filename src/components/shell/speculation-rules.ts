import { paths } from '#paths.ts';

/** Pages that act when they are opened, or that nobody opens twice, are not fetched ahead. */
const NOT_AHEAD = [
  paths.cart,
  paths.checkout,
  '/payment*',
  paths.orders,
  paths.account,
  paths.login,
  paths.register,
  paths.apiTest,
];
const where = { and: [{ href_matches: '/*' }, { not: { href_matches: NOT_AHEAD } }] };
/**
 * Fetched when a link is pointed at, drawn when it is pressed: by then nearly every page is opened. The site's policy knows
 * this very text by its hash.
 */
export const SPECULATION_RULES = JSON.stringify({
  prefetch: [{ where, eagerness: 'moderate' }],
  prerender: [{ where, eagerness: 'conservative' }],
});
