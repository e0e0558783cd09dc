import { atom } from 'nanostores';
import { tabStorage } from './storage.ts';

export interface Notice {
  readonly title: string;
  readonly text?: string;
  /** An error stays until it is dismissed. */
  readonly tone?: 'success' | 'error';
  readonly action?:
    | { readonly label: string; readonly href: string }
    | { readonly label: string; run(): void };
}

export interface Toast extends Notice {
  readonly id: number;
}

const CARRIED_KEY = 'notices';
const SHOWN_AT_ONCE = 3;

let lastId = 0;

export const $toasts = atom<readonly Toast[]>([]);

/** Shows a notice on this page. Of equal notices only the newest stays. */
export function notify(notice: Notice): void {
  lastId += 1;
  const others = $toasts.get().filter(({ title, text }) => title !== notice.title || text !== notice.text);
  $toasts.set([...others, { ...notice, id: lastId }].slice(-SHOWN_AT_ONCE));
}

export function dismiss(id: number): void {
  $toasts.set($toasts.get().filter((toast) => toast.id !== id));
}

/** Takes back what an earlier try said, when the action begins anew or has succeeded; without a text, all of the title. */
export function withdraw(notice: Pick<Notice, 'title' | 'text'>): void {
  const isMeant = ({ title, text }: Toast): boolean =>
    title === notice.title && (notice.text === undefined || text === notice.text);
  if ($toasts.get().some(isMeant)) $toasts.set($toasts.get().filter((toast) => !isMeant(toast)));
}

/** Shows a notice on the page the flow goes to next (a link may be its action, code may not). */
export function notifyNextPage(notice: Notice & { action?: { label: string; href: string } }): void {
  tabStorage.write(CARRIED_KEY, JSON.stringify([...readCarried(tabStorage.read(CARRIED_KEY)), notice]));
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

function readCarried(stored: string | null): Notice[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(value) ? value.filter(isNotice) : [];
  } catch {
    return [];
  }
}

/** Called once a page: shows what the page before left. */
export function showCarriedNotices(): void {
  for (const notice of readCarried(tabStorage.take(CARRIED_KEY))) notify(notice);
}
