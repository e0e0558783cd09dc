import { addStyles, element } from '#components/markup.ts';
import css from './zoom.css?inline';

/* Loaded when the visitor opens the zoom. */

addStyles(css);

function button(text: string, act: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button' }, text);
  made.addEventListener('click', act);
  return made;
}

/** Shows the pictures larger than the screen, in an area that scrolls by touch, wheel and arrow keys. */
export function openZoom(strip: Element): void {
  const pictures = [...strip.querySelectorAll('img')];
  let index = Math.round(strip.scrollLeft / Math.max(1, strip.clientWidth));
  const name = element('p');
  const area = element('div', { class: 'zoom-area', tabindex: 0, role: 'region' });

  const render = (): void => {
    const picture = pictures[index];
    if (!picture) return;
    const large = new Image(picture.width, picture.height);
    large.alt = picture.alt;
    large.sizes = '220vmin';
    large.srcset = picture.srcset;
    large.src = picture.src;
    area.replaceChildren(large);
    name.textContent = picture.alt;
    for (const part of [dialog, area]) part.setAttribute('aria-label', picture.alt);
    area.scrollTo({ left: (area.scrollWidth - area.clientWidth) / 2 });
  };
  const step = (by: number) => (): void => {
    index = (index + by + pictures.length) % pictures.length;
    render();
  };
  const bar = element(
    'div',
    { class: 'zoom-bar' },
    name,
    ...(pictures.length > 1 ? [button('Previous', step(-1)), button('Next', step(1))] : []),
    button('Close', () => dialog.close()),
  );
  const dialog: HTMLDialogElement = element('dialog', { class: 'zoom' }, bar, area);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  render();
}
