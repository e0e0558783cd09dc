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
const allowed = [{ href_matches: '/*' }, { not: { href_matches: NOT_AHEAD } }];
const where = { and: allowed };
/** The attribute of links whose page is fetched at once (ahead.ts). */
export const AHEAD = 'data-ahead';
/**
 * Fetched when a link is pointed at, drawn when it is pressed: by then nearly every page is opened. The site's policy knows
 * this very text by its hash.
 */
export const SPECULATION_RULES = JSON.stringify({
  prefetch: [
    { where, eagerness: 'moderate' },
    { where: { and: [...allowed, { selector_matches: `[${AHEAD}]` }] }, eagerness: 'immediate' },
  ],
  prerender: [{ where, eagerness: 'conservative' }],
});
