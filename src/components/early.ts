import { hasToken } from '#api/token-cookie.ts';
import { afterLoad } from './after-load.ts';

/* Before the first paint: who is here, in which language, and whether this device has the fonts already. */

const { classList } = document.documentElement;
const SEEN = 'fonts';
const FONTS = ['1em Figtree', '700 1em Bricolage'];
/** The address of shell/hindi.ts, which Head.astro puts in. */
declare const HINDI: string;

function remembered(): boolean {
  try {
    if (localStorage.language) import(/* @vite-ignore */ HINDI).catch(() => {});
    return SEEN in localStorage;
  } catch {
    return false;
  }
}

/**
 * The first visit's line is for the picture: the fonts come after it, for the pages that follow. The page they come to
 * keeps the face it was drawn with, so that nothing in it moves.
 */
function fetchFonts(): void {
  Promise.all(FONTS.map((font) => document.fonts.load(font)))
    .then(() => localStorage.setItem(SEEN, ''))
    .catch(() => {});
}

/** A page that is left at once skips its transition: nobody waits for it, and its rejection would be an error. */
for (const event of ['pageswap', 'pagereveal'] as const)
  addEventListener(event, ({ viewTransition }) => void viewTransition?.ready.catch(() => {}));

if (hasToken()) classList.add('signed-in');
if (remembered()) classList.add(SEEN);
else afterLoad(fetchFonts);
