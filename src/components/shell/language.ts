import { readStored, removeStored, writeStored } from '#stores/shell/storage.ts';
import { notify } from '#stores/shell/toasts.ts';

/** The localStorage key; shell.ts reads it too. Without it the shop speaks English. */
const KEY = 'language';

/** In the phone's menu, beside the footer's own links, below the sign-in card. */
const PLACES = '.menu ul, .footer nav:last-of-type ul, .auth-foot ul';

const isHindi = (): boolean => document.documentElement.lang === 'hi';
const isWanted = (): boolean => readStored(KEY) !== null;

/** Each language offers the other, in its own words. */
function draw(control: HTMLElement): void {
  control.lang = isHindi() ? 'en-IN' : 'hi';
  control.textContent = isHindi() ? 'English' : 'हिन्दी';
}

/** Puts the switch on the page. To Hindi nothing typed is lost; the way back loads the page anew. */
export function offerLanguage(): void {
  const controls = [...document.querySelectorAll(PLACES)].map((list) => {
    const control = document.createElement('button');
    control.type = 'button';
    control.className = 'language';
    control.addEventListener('click', change);
    draw(control);
    const item = document.createElement('li');
    item.append(control);
    list.append(item);
    return control;
  });

  function change(): void {
    if (isHindi()) {
      removeStored(KEY);
      location.reload();
      return;
    }
    import('./hindi.ts').then(
      () => {
        writeStored(KEY, 'hi');
        controls.forEach(draw);
      },
      () => notify({ title: 'No connection', text: 'Please try again.', tone: 'error' }),
    );
  }

  // Still on its way, or kept where shell.ts does not look.
  if (isWanted() && !isHindi()) change();
  // A page that Back brings as it was left.
  addEventListener('pageshow', () => {
    if (isWanted() !== isHindi()) location.reload();
  });
}
