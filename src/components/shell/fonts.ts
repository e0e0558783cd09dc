/** The localStorage key; early.ts reads it too. */
const SEEN = 'fonts';
const FONTS = ['1em Figtree', '700 1em Bricolage'];

/**
 * The first visit's line is for the picture: the fonts come after it, for the pages that follow. The page they come to
 * keeps the face it was drawn with, so that nothing in it moves.
 */
export function fetchFonts(): void {
  if (document.documentElement.classList.contains(SEEN)) return;
  Promise.all(FONTS.map((font) => document.fonts.load(font)))
    .then(() => localStorage.setItem(SEEN, ''))
    .catch(() => {});
}
