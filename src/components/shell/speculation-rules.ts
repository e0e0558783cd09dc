import { paths } from '#paths.ts';

/** The pages that PAGES calls personal. The table itself is too large for the script of every page. */
export const EXCLUDED = [
  paths.cart,
  paths.checkout,
  '/payment*',
  paths.orders,
  '/account*',
  paths.login,
  paths.register,
  paths.apiTest,
];
const allowed = [{ href_matches: '/*' }, { not: { href_matches: EXCLUDED } }];
const where = { and: allowed };
/** The attribute of links whose page is fetched at once (ahead.ts). */
export const AHEAD = 'data-ahead';
/**
 * A page is prefetched when its link is pointed at, and prerendered when the link is pressed: then it is nearly always
 * opened. The site's Content Security Policy allows exactly this text, by its hash.
 */
export const SPECULATION_RULES = JSON.stringify({
  prefetch: [
    { where, eagerness: 'moderate' },
    { where: { and: [...allowed, { selector_matches: `[${AHEAD}]` }] }, eagerness: 'immediate' },
  ],
  prerender: [{ where, eagerness: 'conservative' }],
});
