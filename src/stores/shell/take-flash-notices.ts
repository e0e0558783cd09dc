import { type Fields, fieldsOf } from '#domain/json.ts';
import { takeStoredNotices } from './flash-notices.ts';
import type { Notice } from './toasts.ts';

const isText = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === 'string';

function isNotice(value: unknown): value is Notice {
  const { title, text, tone, action }: Fields<keyof Notice> = fieldsOf(value);
  const { label, href }: Fields<'label' | 'href'> = fieldsOf(action);
  const linkFits = action === undefined || (typeof label === 'string' && /^\/(?!\/)/.test(String(href)));
  return typeof title === 'string' && isText(text) && isText(tone) && linkFits;
}

/** Returns and removes the notices of the page before. In its own file, because only late code needs the check. */
export const takeFlashNotices = (): Notice[] => takeStoredNotices().filter(isNotice);
