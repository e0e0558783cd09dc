import type { Page } from 'playwright';

/** Until the first edit: by then both tabs have their schedule. */
const START_MS = 500;

/** When a tab's badge came to show so many, in ms since 1970. */
export type Shown = readonly [count: number, at: number];

/**
 * Two tabs of the listing press the first card's button in turn. The times are set beforehand and kept in the pages:
 * neither waits until it has seen what the other did. Returns what each tab's badge showed; the last text, '99+', is 100.
 */
export async function editInTurn(
  tabs: readonly [Page, Page],
  edits: number,
  everyMs: number,
): Promise<Shown[][]> {
  const start = Date.now() + START_MS;
  return Promise.all(
    tabs.map((tab, turn) =>
      tab.evaluate(
        async ({ start, turn, edits, everyMs }) => {
          const at = (time: number, act: () => void) => setTimeout(act, time - Date.now());
          const badge = document.querySelector('[data-cart-count]');
          if (!badge) throw new Error('This page has no badge.');
          const shown: [number, number][] = [];
          const observer = new MutationObserver(() =>
            shown.push([
              badge.textContent === '99+' ? 100 : Number(badge.textContent),
              performance.timeOrigin + performance.now(),
            ]),
          );
          observer.observe(badge, { childList: true });
          for (let edit = turn; edit < edits; edit += 2)
            at(start + edit * everyMs, () => document.querySelector<HTMLElement>('main [data-add]')?.click());
          // What the other tab did last is told for as long as the fault gives it, and more.
          await new Promise<void>((resolve) => at(start + edits * everyMs + 500, resolve));
          observer.disconnect();
          return shown;
        },
        { start, turn, edits, everyMs },
      ),
    ),
  );
}
