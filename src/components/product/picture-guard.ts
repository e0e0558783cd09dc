import { element } from '#components/markup.ts';

/** Replaces a missing built variant by the server's picture, and that by the icon if it fails too. */
function replacePicture(image: HTMLImageElement): void {
  const { original } = image.dataset;
  const panel = image.closest('.panel');
  if (image.closest('astro-island')) return;
  if (original) {
    delete image.dataset.original;
    image.removeAttribute('srcset');
    image.src = original;
  } else if (panel && !image.hidden) {
    image.hidden = true;
    import('./picture.ts').then(
      ({ noPicture }) => image.after(noPicture(element)),
      () => {},
    );
  }
}

const hasFailed = (image: HTMLImageElement): boolean => image.complete && image.naturalWidth === 0;

/** Handles pictures that fail to load. Islands handle their own. */
export function guardPictures(): void {
  document.addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLImageElement) replacePicture(target);
    },
    true,
  );
  for (const image of document.querySelectorAll<HTMLImageElement>('.panel img[src]')) {
    if (hasFailed(image)) replacePicture(image);
  }
}
