import { fetchInBackground } from '#api/background.ts';
import { isNotFound } from '#api/failure.ts';
import { productRequest } from '#api/requests.ts';
import { type Card, toCard } from '#domain/card.ts';
import { onVisible } from '#stores/shell/events.ts';

/* Loaded on demand, because it imports valibot. */

/** By product id. A product whose request has failed is not in it. */
export type LiveCards = ReadonlyMap<string, Card | 'discontinued'>;

async function fetchCard(id: string): Promise<readonly [string, Card | 'discontinued'] | undefined> {
  const result = await fetchInBackground(productRequest(id));
  if (result.ok) return [id, toCard(result.value)];
  return isNotFound(result.failure) ? [id, 'discontinued'] : undefined;
}

/**
 * Fetches today's cards of stored ones, which may be of any age, when their elements with `data-id` come near the viewport
 * or the page is shown again. Also under data saver, because it is what the visitor looks at.
 * @returns observes the list again after its elements have changed
 */
export function watchCards(list: HTMLElement, show: (live: LiveCards) => void): () => void {
  const requested = new Set<string>();
  const fetchCards = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids) requested.add(id);
    const live = new Map((await Promise.all(ids.map(fetchCard))).filter((answer) => answer !== undefined));
    for (const id of ids) if (!live.has(id)) requested.delete(id);
    if (live.size > 0) show(live);
  };
  const observer = new IntersectionObserver(
    (entries) => {
      const seen = entries.filter(({ isIntersecting }) => isIntersecting).map(({ target }) => target);
      const ids = seen.flatMap((element) => (element instanceof HTMLElement && element.dataset.id) || []);
      const due = ids.filter((id) => !requested.has(id));
      if (due.length > 0) void fetchCards(due);
    },
    { rootMargin: '200px' },
  );
  const observe = (): void => {
    observer.disconnect();
    for (const element of list.querySelectorAll('[data-id]')) observer.observe(element);
  };
  onVisible(() => {
    requested.clear();
    observe();
  });
  observe();
  return observe;
}
