import type { NewsletterStep } from '#api/newsletter.ts';
import { LEAVE_LINK_UNKNOWN } from '#domain/account-refusals.ts';
import { paths } from '#paths.ts';

interface StepTexts {
  readonly title: string;
  readonly text: string;
  readonly button: string;
  readonly done: string;
  /** What happened where the link is dead, and where to go then. */
  readonly dead: string;
  readonly next: { readonly name: string; readonly href: string };
}

/** What the pages of the newsletter's links say. */
export const STEPS: Readonly<Record<NewsletterStep, StepTexts>> = {
  confirm: {
    title: 'Confirm the newsletter',
    text: 'Is this newsletter for you? Then confirm that it may come to your address.',
    button: 'Yes, I want the newsletter',
    done: 'You are subscribed. We have sent you an email that says how to leave.',
    dead: 'This link no longer works. Please subscribe again, and open the link in the new email.',
    next: { name: 'Subscribe again', href: `${paths.home}#newsletter` },
  },
  leave: {
    title: 'Leave the newsletter',
    text: 'Your address is then taken off our list.',
    button: 'Leave the newsletter',
    done: 'You have left. No newsletter comes to your address any more.',
    dead: LEAVE_LINK_UNKNOWN,
    next: { name: 'Contact Us', href: paths.contact },
  },
};
