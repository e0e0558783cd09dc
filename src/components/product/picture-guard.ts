import { copyTemplate, hasTemplate } from './template.ts';

const ICON = 'no-picture';

/** Shows the server's own picture where our variant is gone, and the icon where that fails too. */
function giveWay(image: HTMLImageElement): void {
  const { original } = image.dataset;
  const panel = image.closest('.panel');
  if (!hasTemplate(ICON)) return;
  if (original) {
    delete image.dataset.original;
    image.removeAttribute('srcset');
    image.src = original;
  } else if (panel && !image.hidden) {
    image.hidden = true;
    image.after(copyTemplate(ICON));
  }
}

const hasFailed = (image: HTMLImageElement): boolean => image.complete && image.naturalWidth === 0;

/**
 * A picture of a panel that cannot be shown is replaced by an icon (spec 2, product card), on pages that carry the icon's
 * template (PictureGuard.astro); islands see to their own.
 */
export function guardPictures(): void {
  document.addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLImageElement) giveWay(target);
    },
    true,
  );
  for (const image of document.querySelectorAll<HTMLImageElement>('.panel img[src]')) {
    if (hasFailed(image)) giveWay(image);
  }
}
