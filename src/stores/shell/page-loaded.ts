/** Runs work when the page has loaded and is seen: what the first view needs goes first, one that is prerendered waits. */
export function onceSeen(work: () => void): void {
  const { prerendering }: Document & { readonly prerendering?: boolean } = document;
  if (prerendering) document.addEventListener('prerenderingchange', () => onceSeen(work), { once: true });
  else if (document.readyState === 'complete') work();
  else addEventListener('load', work, { once: true });
}

export const pageLoaded = (): Promise<void> => new Promise(onceSeen);
