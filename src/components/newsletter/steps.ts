import type { NewsletterStep } from '#api/newsletter.ts';

/** What the pages of the newsletter's links say. */
export const STEPS: Readonly<
  Record<NewsletterStep, Readonly<Record<'title' | 'text' | 'button' | 'done', string>>>
> = {
  confirm: {
    title: 'Confirm the newsletter',
    text: 'Is this newsletter for you? Then confirm that it may come to your address.',
    button: 'Yes, I want the newsletter',
    done: 'You are subscribed. We have sent you an email that says how to leave.',
  },
  leave: {
    title: 'Leave the newsletter',
    text: 'Your address is then taken off our list.',
    button: 'Leave the newsletter',
    done: 'You have left. No newsletter comes to your address any more.',
  },
};
