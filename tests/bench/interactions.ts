import type { Page } from 'playwright';

export interface Interaction {
  readonly ms: number;
  readonly what: string;
}

export interface Log {
  readonly interactions: readonly Interaction[];
  /** How many interactions each page had. Those faster than 16 ms have no entry, but are counted. */
  readonly counts: readonly number[];
}

/**
 * Collects in every page of a journey how long each interaction took to its next paint. The times are stored only when
 * the page is left, so that storing does not slow the interactions.
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
  const store = (name: string, values: readonly unknown[]): void => {
    const before: unknown[] = JSON.parse(sessionStorage.getItem(name) ?? '[]');
    sessionStorage.setItem(name, JSON.stringify([...before, ...values]));
  };
  addEventListener('pagehide', () => {
    take(observer.takeRecords());
    store('bench-interactions', [...interactions.values()]);
    const { interactionCount } = performance as Performance & { interactionCount: number };
    store('bench-counts', [interactionCount]);
  });
}

/** Reads what the pages have stored. It leaves the open page for `url`, so that this one stores its part, too. */
export async function readChanges(page: Page, url: string): Promise<Log> {
  await page.goto(url);
  return page.evaluate(() => {
    const read = (name: string) => JSON.parse(sessionStorage.getItem(`bench-${name}`) ?? '[]');
    return { interactions: read('interactions'), counts: read('counts') };
  });
}
