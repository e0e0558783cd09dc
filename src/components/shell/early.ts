import { hasToken } from '#api/token-cookie.ts';
import { answerEarlyTaps } from './early-taps.ts';
import { mendMissingScripts } from './missing-scripts.ts';

/* Before the first paint: who is here, whether this device has the fonts already, and what must not wait for a script. */

const { classList } = document.documentElement;

function hasFonts(): boolean {
  try {
    return 'fonts' in localStorage;
  } catch {
    return false;
  }
}

/** A page that is left at once skips its transition: nobody waits for it, and its rejection would be an error. */
for (const event of ['pageswap', 'pagereveal'] as const)
  addEventListener(event, ({ viewTransition }) => void viewTransition?.ready.catch(() => {}));

if (hasToken()) classList.add('signed-in');
if (hasFonts()) classList.add('fonts');
answerEarlyTaps();
mendMissingScripts();
