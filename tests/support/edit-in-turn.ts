import type { Page } from 'playwright';

/** Until the first edit: by then both tabs have their schedule. */
const START_MS = 500;

/**
 * Two tabs of the listing press the first card's button in turn. The times are set beforehand and kept in the pages:
 * neither waits until it has seen what the other did.
 */
export async function editInTurn(tabs: readonly [Page, Page], edits: number, everyMs: number): Promise<void> {
  const start = Date.now() + START_MS;
  await Promise.all(
    tabs.map((tab, turn) =>
      tab.evaluate(
        async ({ start, turn, edits, everyMs }) => {
          const at = (time: number, act: () => void) => setTimeout(act, time - Date.now());
          for (let edit = turn; edit < edits; edit += 2)
            at(start + edit * everyMs, () => document.querySelector<HTMLElement>('main [data-add]')?.click());
          await new Promise<void>((resolve) => at(start + edits * everyMs, resolve));
        },
        { start, turn, edits, everyMs },
      ),
    ),
  );
}
