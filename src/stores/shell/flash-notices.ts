import { tabStorage } from './storage.ts';
import type { Notice } from './toasts.ts';

/*
 * Notices that the next page shows (take-flash-notices.ts). It does so after its load event, so if the visitor leaves it
 * before that, the page after it shows them.
 */

const FLASH_KEY = 'notices';

/** This page has stored a notice for the next page and is navigating to it. */
let leaving = false;

function stored(text: string | null): unknown[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** Shows a notice on the next page. Its action can only be a link, because code cannot be stored. */
export function notifyNextPage(notice: Notice & { action?: { label: string; href: string } }): void {
  leaving = true;
  tabStorage.write(FLASH_KEY, JSON.stringify([...stored(tabStorage.read(FLASH_KEY)), notice]));
}

/** Returns and removes what is stored. While this page is navigating away it is left for the next page. */
export const takeStoredNotices = (): unknown[] => (leaving ? [] : stored(tabStorage.take(FLASH_KEY)));
