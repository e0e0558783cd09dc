import * as v from 'valibot';
import { EmailSchema, HoneypotSchema, LanguageSchema } from '#scripts/api/customers/schema.ts';
import { findLink, LinkTokenSchema, linkUsedUp, requireLetters } from '#scripts/api/letters/links.ts';
import { queueLetter } from '#scripts/api/letters/outbox.ts';
import { defineCall } from '#scripts/api/shop/call.ts';
import { withLimits } from '#scripts/api/shop/with-limits.ts';
import { CONFIRM } from './confirm-link.ts';
import { LeaveTokenSchema, leaveBy } from './leave-link.ts';
import { NEWSLETTER_LETTERS } from './letters.ts';
import { confirmSubscriber, lockSubscriber, storeRequest } from './stored-subscribers.ts';

/** Whatever the email, the same is stored and answered, as for a forgotten password (faults 106). */
export const subscribeCall = defineCall({
  method: 'POST',
  path: '/newsletter',
  access: 'public',
  operationId: 'subscribe',
  tag: 'Newsletter',
  summary: 'Ask for the newsletter',
  description:
    'A letter with a link goes to the email, which gets the newsletter once the link has confirmed it. The answer is the same for any email. `website` must be empty: if it has a text, the answer is the same and nothing is stored.',
  request: v.object({
    body: v.object({ email: EmailSchema, language: LanguageSchema, website: HoneypotSchema }),
  }),
  status: 200,
  answer: v.object({}),
  failures: [404, 422, 429, 503],
  authorize: requireLetters,
  async handle(context, shop, { body: { email, language = null, website } }) {
    const { newsletterAddress, newsletter } = shop.limiters;
    const store = () =>
      shop.db.write(async (transaction) => {
        const wish = { email, language, leaveToken: shop.ids.token(), askedAt: shop.clock() };
        await storeRequest(transaction, wish);
        await queueLetter(transaction, shop, NEWSLETTER_LETTERS.asked, email);
      });
    await withLimits(
      [
        [newsletterAddress, shop.clientAddress(context)],
        [newsletter, email],
      ],
      async () => {
        if (website === '') await store();
      },
    );
    return context.json({});
  },
});

export const confirmNewsletterCall = defineCall({
  method: 'POST',
  path: '/newsletter/confirm',
  access: 'public',
  operationId: 'confirmNewsletter',
  tag: 'Newsletter',
  summary: 'Confirm by the link of a letter that the newsletter is wanted',
  description: 'A link works for a week, and ends when its address leaves.',
  request: v.object({ body: v.object({ token: LinkTokenSchema }) }),
  status: 200,
  answer: v.object({}),
  failures: [404, 422, 503],
  authorize: requireLetters,
  async handle(context, shop, { body: { token } }) {
    await shop.db.write(async (transaction) => {
      const find = () => findLink(transaction, shop.clock(), CONFIRM.purpose, token);
      const email = await find();
      // The link is looked up again under the lock, because leaving may have ended it meanwhile.
      if (email === undefined || !(await lockSubscriber(transaction, email)) || (await find()) === undefined)
        throw linkUsedUp();
      if ((await confirmSubscriber(transaction, email, shop.clock())) > 0)
        await queueLetter(transaction, shop, NEWSLETTER_LETTERS.welcome, email);
    });
    return context.json({});
  },
});

export const leaveNewsletterCall = defineCall({
  method: 'POST',
  path: '/newsletter/leave',
  access: 'public',
  operationId: 'leaveNewsletter',
  tag: 'Newsletter',
  summary: 'Leave the newsletter by a link',
  description:
    'The token of the link that stands in every letter of the newsletter. It works again and again.',
  request: v.object({ body: v.object({ token: LeaveTokenSchema }) }),
  status: 200,
  answer: v.object({}),
  failures: [422, 503],
  async handle(context, shop, { body: { token } }) {
    await leaveBy(shop, token);
    return context.json({});
  },
});
