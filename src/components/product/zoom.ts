import { addStyles } from '#components/shell/styles.ts';
import css from './zoom.css?inline';

/* Loaded when the visitor opens the zoom. */

addStyles(css);

function button(text: string, act: () => void): HTMLButtonElement {
  const element = document.createElement('button');
  element.type = 'button';
  element.textContent = text;
  element.addEventListener('click', act);
  return element;
}

/** Shows the pictures larger than the screen, in an area that scrolls by touch, wheel and arrow keys. */
export function openZoom(strip: Element): void {
  const pictures = [...strip.querySelectorAll('img')];
  let index = Math.round(strip.scrollLeft / Math.max(1, strip.clientWidth));
  const dialog = document.createElement('dialog');
  dialog.className = 'zoom';
  const name = document.createElement('p');
  const area = document.createElement('div');
  area.className = 'zoom-area';
  area.tabIndex = 0;
  area.setAttribute('role', 'region');

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
  const bar = document.createElement('div');
  bar.className = 'zoom-bar';
  bar.append(
    name,
    ...(pictures.length > 1 ? [button('Previous', step(-1)), button('Next', step(1))] : []),
    button('Close', () => dialog.close()),
  );
  dialog.append(bar, area);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  render();
}
