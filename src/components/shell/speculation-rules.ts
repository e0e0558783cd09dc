import { paths } from '#paths.ts';

/** The personal pages of PAGES. The table itself is too large for the script of every page. */
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
/** Links with this attribute are prefetched at once (build-info.ts). */
export const AHEAD = 'data-ahead';
/**
 * Prefetches a page on hover, and prerenders it on press, because it is then nearly always opened. The Content Security
 * Policy allows exactly this text, by its hash.
 */
export const SPECULATION_RULES = JSON.stringify({
  prefetch: [
    { where, eagerness: 'moderate' },
    { where: { and: [...allowed, { selector_matches: `[${AHEAD}]` }] }, eagerness: 'immediate' },
  ],
  prerender: [{ where, eagerness: 'conservative' }],
});
