import { element } from '#components/markup.ts';
import { readStored, removeStored, writeStored } from '#stores/shell/storage.ts';
import { NO_CONNECTION, notify } from '#stores/shell/toasts.ts';
import { isTyped } from './missing-scripts.ts';

/** The key in storage. shell.ts reads it too. */
const KEY = 'language';

/** The phone's menu, the footer's last list, and the list below the sign-in card. */
const LISTS = '.menu ul, .footer nav:last-of-type ul, [data-languages]';

const isHindi = (): boolean => document.documentElement.lang === 'hi';
const isChosen = (): boolean => readStored(KEY) === 'hi';

function render(control: HTMLElement): void {
  control.lang = isHindi() ? 'en-IN' : 'hi';
  control.textContent = isHindi() ? 'English' : 'हिन्दी';
}

/** Changing to Hindi preserves typed text. Changing back to English reloads the page. */
export function addLanguageSwitch(): void {
  const controls = [...document.querySelectorAll(LISTS)].map((list) => {
    const control = element('button', { type: 'button', class: 'language' });
    control.addEventListener('click', change);
    render(control);
    list.append(element('li', {}, control));
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
        controls.forEach(render);
      },
      () => notify(NO_CONNECTION),
    );
  }

  // shell.ts may have failed to load Hindi or to read the choice.
  if (isChosen() && !isHindi()) change();
  // A page from the back/forward cache may be in the previous language. It stays in Hindi if a reload would lose typed text.
  addEventListener('pageshow', () => {
    if (isChosen() !== isHindi() && !(isHindi() && isTyped())) change();
  });
}
