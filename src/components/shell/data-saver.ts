import { element } from '#components/markup.ts';
import { isDataSaverOn, savesData, setDataSaver } from '#stores/shell/connection.ts';
import { notify } from '#stores/shell/toasts.ts';
import { trustedCode } from './trusted-code.ts';

const TYPE = 'speculationrules';

interface ScriptTypes {
  readonly supports?: (type: string) => boolean;
}

/** Adds the speculation rules, or removes them if the visitor saves data. Call it again when that choice changes. */
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
    // A Content Security Policy other than the site's refuses the script. Then nothing is prefetched.
  }
}

/**
 * Adds the data saver switch to the footer's last list of links. The list beside it is longer, so nothing moves. It is not
 * in the page's HTML, so that it does not slow the first load.
 */
export function addDataSaverSwitch(): void {
  updateSpeculation();
  const list = [...document.querySelectorAll('.footer nav ul')].at(-1);
  const control = element('button', { type: 'button', class: 'data-saver', role: 'switch' }, 'Data saver');
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
  list?.append(element('li', {}, control));
}
