import type { Page } from 'playwright';

/** The time before the first edit. By then both tabs have their schedule. */
const START_MS = 500;

/** The number that a tab's badge began to show, and when, in ms since 1970. */
export type Shown = readonly [count: number, at: number];

/**
 * Two tabs of the listing press the first card's button in turn, at times that are set beforehand: neither tab waits
 * for the other's edit to appear. Returns what the badge of each tab showed; its highest text, '99+', counts as 100.
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
          // The other tab's last edit gets more time to appear than the fault allows.
          await new Promise<void>((resolve) => at(start + edits * everyMs + 500, resolve));
          observer.disconnect();
          return shown;
        },
        { start, turn, edits, everyMs },
      ),
    ),
  );
}
