/** The localStorage key; early.ts reads it too. */
const SEEN = 'fonts';
const FONTS = ['1em Figtree', '700 1em Bricolage'];
/** A letter and the rupee sign, which stands in a file of its own. */
const TEXT = 'a₹';

/**
 * On a first visit the network is left to the pictures: fonts load afterwards, for the next page. This page keeps its
 * fallback font, so nothing moves.
 */
export function fetchFonts(): void {
  if (document.documentElement.classList.contains(SEEN)) return;
  Promise.all(FONTS.map((font) => document.fonts.load(font, TEXT)))
    .then(() => localStorage.setItem(SEEN, ''))
    .catch(() => {});
}
