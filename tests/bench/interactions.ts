import type { Page } from 'playwright';

export interface Interaction {
  readonly ms: number;
  readonly what: string;
}

export interface Log {
  readonly interactions: readonly Interaction[];
  /** How many there were in each page. Those faster than 16 ms have no entry, but count. */
  readonly counts: readonly number[];
}

/**
 * Collects, in every page of a journey, how long each interaction took to its next paint. It is written down when the page
 * is left: what measures must not hold up what is measured.
 */
export function observeInteractions(): void {
  const interactions = new Map<number, Interaction>();
  const place = (node: Node | null): string =>
    node instanceof Element
      ? `${node.tagName.toLowerCase()} ${node.getAttribute('aria-label') ?? node.id}`
      : '';
  const take = (entries: PerformanceEntryList): void => {
    for (const entry of entries) {
      if (!(entry instanceof PerformanceEventTiming) || !('interactionId' in entry)) continue;
      const {
        interactionId,
        duration: ms,
        name,
        target,
      } = entry as PerformanceEventTiming & {
        interactionId: number;
      };
      if (!interactionId || ms <= (interactions.get(interactionId)?.ms ?? 0)) continue;
      interactions.set(interactionId, { ms, what: `${name} ${place(target)} on ${location.pathname}` });
    }
  };
  const observer = new PerformanceObserver((list) => take(list.getEntries()));
  observer.observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
  const keep = (name: string, values: readonly unknown[]): void => {
    const before: unknown[] = JSON.parse(sessionStorage.getItem(name) ?? '[]');
    sessionStorage.setItem(name, JSON.stringify([...before, ...values]));
  };
  addEventListener('pagehide', () => {
    take(observer.takeRecords());
    keep('bench-interactions', [...interactions.values()]);
    const { interactionCount } = performance as Performance & { interactionCount: number };
    keep('bench-counts', [interactionCount]);
  });
}

/** What was written down in the pages before; the page that is open is left for it. */
export async function readLog(page: Page, url: string): Promise<Log> {
  await page.goto(url);
  return page.evaluate(() => {
    const read = (name: string) => JSON.parse(sessionStorage.getItem(`bench-${name}`) ?? '[]');
    return { interactions: read('interactions'), counts: read('counts') };
  });
}
