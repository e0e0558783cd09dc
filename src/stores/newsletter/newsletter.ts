import type { Result } from '#api/failure.ts';
import {
  askNewsletter,
  type NewsletterStep,
  type NewsletterWish,
  takeNewsletterStep,
} from '#api/newsletter.ts';
import { notify, withdraw } from '#stores/shell/toasts.ts';

const FAILED = { title: 'Error', tone: 'error' } as const;

/**
 * Returns whether the call succeeded; a notice says why it did not, in the server's words. (`serverText` is in a file that
 * brings React along.)
 */
async function succeeds(calling: Promise<Result<undefined>>): Promise<boolean> {
  withdraw(FAILED);
  const result = await calling;
  if (result.ok) return true;
  const { failure } = result;
  notify({ ...FAILED, text: (failure.kind === 'refused' && failure.error) || 'Please try again.' });
  return false;
}

/** Asks for the newsletter. Nobody learns whether the address gets it already (resolutions 32, faults 106). */
export async function subscribe(wish: NewsletterWish): Promise<boolean> {
  const isAsked = await succeeds(askNewsletter(wish));
  if (isAsked)
    notify({ title: 'Look into your inbox', text: 'Open the link in our letter, and you are subscribed.' });
  return isAsked;
}

/** Confirms the newsletter or leaves it, by the link of a letter. */
export const takeStep = (step: NewsletterStep, token: string): Promise<boolean> =>
  succeeds(takeNewsletterStep(step, token));
