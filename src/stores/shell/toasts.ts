import { atom } from 'nanostores';

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

export const NO_CONNECTION: Notice = {
  title: 'No connection',
  text: 'Please try again.',
  tone: 'error',
};

const SHOWN_AT_ONCE = 3;

let lastId = 0;

export const $toasts = atom<readonly Toast[]>([]);

/** Shows a notice on this page. It replaces an equal one. */
export function notify(notice: Notice): void {
  lastId += 1;
  const others = $toasts.get().filter(({ title, text }) => title !== notice.title || text !== notice.text);
  $toasts.set([...others, { ...notice, id: lastId }].slice(-SHOWN_AT_ONCE));
}

export function dismiss(id: number): void {
  $toasts.set($toasts.get().filter((toast) => toast.id !== id));
}

/** Removes the notice of an earlier attempt. Without a text, removes every notice with that title. */
export function clearNotice(notice: Pick<Notice, 'title' | 'text'>): void {
  const matches = ({ title, text }: Toast): boolean =>
    title === notice.title && (notice.text === undefined || text === notice.text);
  if ($toasts.get().some(matches)) $toasts.set($toasts.get().filter((toast) => !matches(toast)));
}
