import { takeStoredNotices } from './flash-notices.ts';
import type { Notice } from './toasts.ts';

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

/** Returns and removes the notices of the page before. In its own file: only code that loads late needs the check. */
export const takeFlashNotices = (): Notice[] => takeStoredNotices().filter(isNotice);
