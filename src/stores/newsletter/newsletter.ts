import type { Result } from '#api/failure.ts';
import {
  askNewsletter,
  type NewsletterStep,
  type NewsletterWish,
  takeNewsletterStep,
} from '#api/newsletter.ts';
import { notifyFailure } from '#stores/shell/notify-failure.ts';
import { notify } from '#stores/shell/toasts.ts';

const succeeds = async (calling: Promise<Result<undefined>>): Promise<boolean> =>
  (await notifyFailure(calling, 'Please try again.')).ok;

/** Asks for the newsletter. Nobody learns whether the address gets it already (resolutions 32, faults 106). */
export async function subscribe(wish: NewsletterWish): Promise<boolean> {
  const isAsked = await succeeds(askNewsletter(wish));
  if (isAsked)
    notify({ title: 'Look into your inbox', text: 'Open the link in our email, and you are subscribed.' });
  return isAsked;
}

/** Confirms the newsletter or leaves it, by the link of a letter. */
export const takeStep = (step: NewsletterStep, token: string): Promise<boolean> =>
  succeeds(takeNewsletterStep(step, token));
