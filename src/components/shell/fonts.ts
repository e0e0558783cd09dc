import * as CURRENCY from '#domain/currency.ts';

/** The localStorage key that early.ts reads, and the class that it then sets. */
const FONTS_LOADED = 'fonts';
const FONTS = ['1em Figtree', '700 1em Bricolage'];
/** One character of each font file: the currency's sign has a file of its own. */
const SAMPLE = `a${CURRENCY.symbol}`;

/**
 * Fetches the fonts on a first visit, after the page has loaded, so that they do not delay its pictures. They are for
 * the next page: this page keeps its fallback font, so nothing moves.
 */
export function fetchFonts(): void {
  if (document.documentElement.classList.contains(FONTS_LOADED)) return;
  Promise.all(FONTS.map((font) => document.fonts.load(font, SAMPLE)))
    .then(() => localStorage.setItem(FONTS_LOADED, ''))
    .catch(() => {});
}
