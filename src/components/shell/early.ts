import { hasToken } from '#api/token-cookie.ts';
import { holdEarlyTaps } from './early-taps.ts';
import { reloadForMissingScripts } from './missing-scripts.ts';

/*
 * Inlined in the head and run before the first paint: marks whether the visitor is signed in and whether this device
 * has the fonts, and starts the listeners that must not wait for the page's scripts.
 */

const { classList } = document.documentElement;

function hasFonts(): boolean {
  try {
    return 'fonts' in localStorage;
  } catch {
    return false;
  }
}

/* When a page is left at once, the browser skips its transition and rejects `ready`. This is not an error. */
for (const event of ['pageswap', 'pagereveal'] as const)
  addEventListener(event, ({ viewTransition }) => void viewTransition?.ready.catch(() => {}));

if (hasToken()) classList.add('signed-in');
if (hasFonts()) classList.add('fonts');
holdEarlyTaps();
reloadForMissingScripts();
