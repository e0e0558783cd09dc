/**
 * Runs work after the load event, so that it does not delay the first view. A prerendered page waits until it is shown.
 */
export function whenShown(work: () => void): void {
  const { prerendering }: Document & { readonly prerendering?: boolean } = document;
  if (prerendering) document.addEventListener('prerenderingchange', () => whenShown(work), { once: true });
  else if (document.readyState === 'complete') work();
  else addEventListener('load', work, { once: true });
}

export const pageLoaded = (): Promise<void> => new Promise(whenShown);
