/** What the browser answers by itself. */
const NATIVE = '[popovertarget], dialog *';
/** An island that React has not taken over yet (islands/ui/Island.tsx). */
const WAITING_ISLAND = '[data-hydrated=false] *';

/**
 * Keeps the taps on buttons that come before the page's scripts, or before their island is ready: it shows them as busy
 * and has them answered as soon as they can be. Enter in a form is a click on its button.
 */
export function answerEarlyTaps(): void {
  const tapped = new Set<HTMLElement>();
  let scriptsRan = false;
  const isAnswered = (button: Element): boolean =>
    button.matches(NATIVE) || (scriptsRan && !button.matches(WAITING_ISLAND));
  const answer = (): void => {
    for (const button of tapped) {
      if (!isAnswered(button)) continue;
      tapped.delete(button);
      button.ariaBusy = null;
      button.click();
    }
  };
  addEventListener(
    'click',
    (event) => {
      const button = event.target instanceof Element ? event.target.closest('button') : null;
      if (!button || isAnswered(button)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      button.ariaBusy = 'true';
      tapped.add(button);
    },
    true,
  );
  // Module scripts have run by then.
  addEventListener('DOMContentLoaded', () => {
    scriptsRan = true;
    answer();
  });
  addEventListener('hydrated', answer);
}
