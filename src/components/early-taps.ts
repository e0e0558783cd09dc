/** What acts by itself is left to the browser, and an island's buttons are React's own. */
const NATIVE = '[popovertarget], dialog *, astro-island *';

/**
 * Keeps the taps on buttons that come before the page's scripts, shows them as busy, and has them answered as soon as
 * the scripts are there. Enter in a form is a click on its button.
 */
export function answerEarlyTaps(): void {
  const tapped: HTMLElement[] = [];
  const keep = (event: MouseEvent): void => {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    if (!button || button.matches(NATIVE)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    button.ariaBusy = 'true';
    tapped.push(button);
  };
  addEventListener('click', keep, true);
  // Module scripts have run by then.
  addEventListener('DOMContentLoaded', () => {
    removeEventListener('click', keep, true);
    for (const button of tapped) {
      button.ariaBusy = null;
      button.click();
    }
  });
}
