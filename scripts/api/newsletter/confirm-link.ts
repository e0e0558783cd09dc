import { SITE_PATHS } from '#scripts/api/letters/site-paths.ts';

/** By which an address confirms that it wants the newsletter, for a week. It may be opened again: nothing changes then. */
export const CONFIRM = {
  purpose: 'confirmNewsletter',
  path: SITE_PATHS.confirmNewsletter,
  minutes: 7 * 24 * 60,
} as const;
