/** Runs work after the load event, so that the first view is not delayed. A prerendered page waits until it is seen. */
export function onceSeen(work: () => void): void {
  const { prerendering }: Document & { readonly prerendering?: boolean } = document;
  if (prerendering) document.addEventListener('prerenderingchange', () => onceSeen(work), { once: true });
  else if (document.readyState === 'complete') work();
  else addEventListener('load', work, { once: true });
}

export const pageLoaded = (): Promise<void> => new Promise(onceSeen);
