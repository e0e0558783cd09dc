import { noPicture } from './no-picture.ts';

/** Shows the server's own picture where our variant is gone, and the icon where that fails too. */
function giveWay(image: HTMLImageElement): void {
  const { original } = image.dataset;
  const panel = image.closest('.panel');
  if (image.closest('astro-island')) return;
  if (original) {
    delete image.dataset.original;
    image.removeAttribute('srcset');
    image.src = original;
  } else if (panel && !image.hidden) {
    image.hidden = true;
    image.after(noPicture());
  }
}

const hasFailed = (image: HTMLImageElement): boolean => image.complete && image.naturalWidth === 0;

/**
 * A picture of a panel that cannot be shown is replaced by an icon (spec 2, product card); islands see to their own.
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
