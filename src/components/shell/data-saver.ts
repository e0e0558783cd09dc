import { isDataSaverOn, savesData, setDataSaver } from '#stores/shell/connection.ts';
import { notify } from '#stores/shell/toasts.ts';
import { trustedCode } from './trusted-code.ts';

const TYPE = 'speculationrules';

interface ScriptTypes {
  readonly supports?: (type: string) => boolean;
}

/**
 * Lets the browser fetch the next page before the tap, unless the visitor saves data. It must be called again when that
 * choice changes.
 */
function updateSpeculation(): void {
  document.querySelector(`script[type=${TYPE}]`)?.remove();
  const { supports }: ScriptTypes = HTMLScriptElement;
  if (!supports?.(TYPE) || savesData()) return;
  const script = document.createElement('script');
  script.type = TYPE;
  try {
    script.text = trustedCode().createScript('');
    document.head.append(script);
  } catch {
    // Another Content Security Policy than the site's own refuses the script. Then nothing is fetched ahead.
  }
}

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
  const render = (): void => control.setAttribute('aria-checked', String(isDataSaverOn()));
  control.addEventListener('click', () => {
    setDataSaver(!isDataSaverOn());
    render();
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
  render();
  const item = document.createElement('li');
  item.append(control);
  list?.append(item);
}
