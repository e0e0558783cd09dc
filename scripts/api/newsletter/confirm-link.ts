import { SITE_PATHS } from '#scripts/api/letters/site-paths.ts';

/** The link by which an address confirms that it wants the newsletter. It works for a week; opened again, it changes nothing. */
export const CONFIRM = {
  purpose: 'confirmNewsletter',
  letter: 'newsletterAsked',
  path: SITE_PATHS.confirmNewsletter,
  minutes: 7 * 24 * 60,
} as const;
