import { tabStorage } from './storage.ts';
import type { Notice } from './toasts.ts';

/*
 * Notices that the next page shows. It does so after its load event, so if the visitor leaves it before that, the page
 * after it shows them.
 */

const CARRIED_KEY = 'notices';

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
  tabStorage.write(CARRIED_KEY, JSON.stringify([...stored(tabStorage.read(CARRIED_KEY)), notice]));
}

const isText = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === 'string';

function isNotice(value: unknown): value is Notice {
  if (typeof value !== 'object' || value === null) return false;
  const { title, text, tone, action }: Partial<Record<keyof Notice, unknown>> = value;
  const link: { label?: unknown; href?: unknown } | undefined =
    typeof action === 'object' && action !== null ? action : undefined;
  const linkFits =
    action === undefined || (typeof link?.label === 'string' && /^\/(?!\/)/.test(String(link.href)));
  return typeof title === 'string' && isText(text) && isText(tone) && linkFits;
}

/** Returns and removes the stored notices. While this page is navigating away they are left for the next page. */
export const takeCarriedNotices = (): Notice[] =>
  leaving ? [] : stored(tabStorage.take(CARRIED_KEY)).filter(isNotice);
