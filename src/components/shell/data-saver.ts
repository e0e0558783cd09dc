import { isDataSaverOn, setDataSaver } from '#stores/shell/connection.ts';
import { notify } from '#stores/shell/toasts.ts';
import { updateSpeculation } from './speculation.ts';

/**
 * Adds the switch for saving data to the footer's last list of links. The list beside it is longer, so nothing moves.
 * The page's HTML does not contain the switch, so it costs the first load nothing.
 */
export function addDataSaverSwitch(): void {
  updateSpeculation();
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
    updateSpeculation();
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
