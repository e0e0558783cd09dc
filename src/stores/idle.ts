interface Connection {
  readonly saveData?: boolean;
  readonly effectiveType?: string;
}

const SLOW = /2g|3g/;

function isSparing(): boolean {
  const { connection }: Navigator & { readonly connection?: Connection } = navigator;
  return connection?.saveData === true || SLOW.test(connection?.effectiveType ?? '');
}

/**
 * Runs work that nobody waits for when the page has loaded and has nothing else to do; never under Save-Data or on
 * 2g and 3g (resolutions 22; architecture, 'What runs where').
 */
export function whenIdle(work: () => void): void {
  if (isSparing()) return;
  const later = (): void => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: 2_000 });
    else setTimeout(work, 200);
  };
  if (document.readyState === 'complete') later();
  else addEventListener('load', later, { once: true });
}
