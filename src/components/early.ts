import { hasToken } from '#api/token-cookie.ts';

/* Before the first paint: who is here, in which language, and whether this device has the fonts already. */

const { classList } = document.documentElement;
const SEEN = 'fonts';
/** The address of shell/hindi.ts, which Head.astro puts in. */
declare const HINDI: string;
/** The picture that the page has loaded is drawn first. */
const AFTER_LOAD_MS = 300;

function remembered(): boolean {
  try {
    if (localStorage.language) import(/* @vite-ignore */ HINDI).catch(() => {});
    return SEEN in localStorage;
  } catch {
    return false;
  }
}

/** The first visit's line is for the picture: the fonts come after it, and from the second page on at once. */
function showFonts(): void {
  classList.add('fonts');
  try {
    localStorage.setItem(SEEN, '');
  } catch {
    // They come after each page, then.
  }
}

/** A page that is left at once skips its transition: nobody waits for it, and its rejection would be an error. */
for (const event of ['pageswap', 'pagereveal'] as const)
  addEventListener(event, ({ viewTransition }) => void viewTransition?.ready.catch(() => {}));

if (hasToken()) classList.add('signed-in');
if (remembered()) classList.add('fonts');
else addEventListener('load', () => setTimeout(showFonts, AFTER_LOAD_MS));
