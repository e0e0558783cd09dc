import { isDataSaverOn, setDataSaver } from '#stores/shell/connection.ts';
import { notify } from '#stores/shell/toasts.ts';
import { tendSpeculation } from './speculation.ts';

/**
 * Puts the switch beside the shop's own links of the footer, where the list next to it is the longer one, so nothing
 * moves; the page itself carries none of it.
 */
export function offerDataSaver(): void {
  tendSpeculation();
  const list = [...document.querySelectorAll('.footer nav ul')].at(-1);
  const control = document.createElement('button');
  control.type = 'button';
  control.className = 'data-saver';
  control.setAttribute('role', 'switch');
  control.textContent = 'Data saver';
  const draw = (): void => control.setAttribute('aria-checked', String(isDataSaverOn()));
  control.addEventListener('click', () => {
    setDataSaver(!isDataSaverOn());
    draw();
    tendSpeculation();
    notify(
      isDataSaverOn()
        ? {
            title: 'Data saver is on',
            text: 'Nothing is loaded ahead or refreshed by itself on this device.',
          }
        : { title: 'Data saver is off' },
    );
  });
  draw();
  const item = document.createElement('li');
  item.append(control);
  list?.append(item);
}
