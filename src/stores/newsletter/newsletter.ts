import type { Result } from '#api/failure.ts';
import {
  askNewsletter,
  type NewsletterStep,
  type NewsletterWish,
  takeNewsletterStep,
} from '#api/newsletter.ts';
import { notifyFailure } from '#stores/shell/notify-failure.ts';
import { notify } from '#stores/shell/toasts.ts';

const FAILED = 'Please try again.';

/** The status with which the API refuses a link that is too old, was used up or is unknown. */
const DEAD_LINK = 422;

/** Asks for the newsletter. Nobody learns whether the address gets it already (resolutions 32, faults 106). */
export async function subscribe(wish: NewsletterWish): Promise<boolean> {
  const { ok: isAsked } = await notifyFailure(askNewsletter(wish), FAILED);
  if (isAsked)
    notify({ title: 'Look into your inbox', text: 'Open the link in our email, and you are subscribed.' });
  return isAsked;
}

/** What came of a link: it has worked, it never will, or it is still open to be tried again. */
type LinkOutcome = 'done' | 'dead' | 'open';

async function tryLink(step: NewsletterStep, token: string): Promise<Result<LinkOutcome>> {
  const result = await takeNewsletterStep(step, token);
  if (result.ok) return { ok: true, value: 'done' };
  const { failure } = result;
  return failure.kind === 'refused' && failure.status === DEAD_LINK ? { ok: true, value: 'dead' } : result;
}

/** Confirms the newsletter or leaves it, by the link of a letter. If the link may be tried again, a notice says why it failed. */
export async function takeStep(step: NewsletterStep, token: string): Promise<LinkOutcome> {
  const result = await notifyFailure(tryLink(step, token), FAILED);
  return result.ok ? result.value : 'open';
}
