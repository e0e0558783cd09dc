import { hasToken } from '#api/token-cookie.ts';
import { OWN } from '#domain/json.ts';
import { classList, reloadForMissingScripts } from './missing-scripts.ts';

/** These buttons need no script: the browser opens popovers, and a dialog opens only after its script has run. */
const NATIVE = 'popover' in HTMLElement.prototype ? '[popovertarget], dialog *' : 'dialog *';
/** In an island that is not hydrated yet (islands/ui/Island.tsx), or the menu's button before header.ts has run. */
const WAITING = '[data-hydrated=false] *, [popovertarget]:not([aria-expanded])';

/**
 * Holds back taps on buttons whose scripts have not run or whose island is not hydrated. Shows the button as busy and
 * repeats the tap afterwards. Enter in a form arrives as a click on its submit button.
 */
function holdEarlyTaps(): void {
  const tapped = new Set<HTMLElement>();
  let scriptsRan = false;
  const isReady = (button: Element): boolean =>
    button.matches(NATIVE) || (scriptsRan && !button.matches(WAITING));
  const repeatTaps = (): void => {
    for (const button of tapped) {
      if (!isReady(button)) continue;
      tapped.delete(button);
      button.removeAttribute('aria-busy');
      button.click();
    }
  };
  addEventListener(
    'click',
    (event) => {
      const button = event.target instanceof Element ? event.target.closest('button') : null;
      if (!button || isReady(button)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      button.setAttribute('aria-busy', 'true');
      tapped.add(button);
    },
    true,
  );
  // All module scripts of the page have run before this event.
  addEventListener('DOMContentLoaded', () => {
    scriptsRan = true;
    repeatTaps();
  });
  addEventListener('hydrated', repeatTaps);
}

/*
 * Inlined in the head. Before the first paint it marks whether the visitor is signed in and whether this device has the
 * fonts, and starts the listeners that must not wait for the page's scripts.
 */

function hasFonts(): boolean {
  try {
    return `${OWN}fonts` in localStorage;
  } catch {
    return false;
  }
}

/* If the visitor leaves a page at once, the browser skips its transition and rejects `ready`. This is not an error. */
for (const event of ['pageswap', 'pagereveal'] as const)
  addEventListener(event, ({ viewTransition }) => void viewTransition?.ready.catch(() => {}));

if (hasToken()) classList.add('signed-in');
if (hasFonts()) classList.add('fonts');
holdEarlyTaps();
reloadForMissingScripts();
