import { listOf, parseJson } from '#domain/json.ts';
import { tabStorage } from './storage.ts';
import type { Notice } from './toasts.ts';

/*
 * Flash notices: stored on this page, shown on the next. A page checks and shows them after its load event, in late code
 * (components/shell/later.ts). If the visitor leaves it before that, the page after it shows them.
 */

const FLASH_KEY = 'notices';

let leaving = false;

const stored = (text: string | null): readonly unknown[] => listOf(parseJson(text));

/** Shows a notice on the next page. Its action must be a link, because code cannot be stored. */
export function notifyNextPage(notice: Notice & { action?: { label: string; href: string } }): void {
  leaving = true;
  tabStorage.write(FLASH_KEY, JSON.stringify([...stored(tabStorage.read(FLASH_KEY)), notice]));
}

/** Returns and removes the stored notices, but leaves them while this page is navigating away. */
export const takeStoredNotices = (): readonly unknown[] =>
  leaving ? [] : stored(tabStorage.take(FLASH_KEY));
