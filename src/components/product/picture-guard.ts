/** Replaces a built variant that is gone by the server's own picture, and that by the icon if it fails too. */
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
    // Few pages need the icon.
    import('./no-picture.ts').then(
      ({ noPicture }) => image.after(noPicture()),
      () => {},
    );
  }
}

const hasFailed = (image: HTMLImageElement): boolean => image.complete && image.naturalWidth === 0;

/** Replaces pictures that cannot be shown by an icon. Islands do this for their own pictures. */
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
