/** Buttons that open a popover are the browser's own; a dialog is opened by a script that is there then. */
const NATIVE = '[popovertarget], dialog *';
/** An island that React has not taken over yet (islands/ui/Island.tsx). */
const WAITING_ISLAND = '[data-hydrated=false] *';

/**
 * Holds back a tap on a button that comes before the page's scripts have run, or before React has taken over its island.
 * Shows the button as busy and repeats the tap afterwards. Enter in a form arrives as a click on its submit button.
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
