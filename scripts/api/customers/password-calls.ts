import * as v from 'valibot';
import { Refusal } from '#scripts/api/http/refusal.ts';
import { findLink, takeLink } from '#scripts/api/letters/links.ts';
import { queueLetter } from '#scripts/api/letters/outbox.ts';
import { requireLetters } from '#scripts/api/letters/require-letters.ts';
import { defineCall } from '#scripts/api/shop/call.ts';
import { withLimits } from '#scripts/api/shop/with-limits.ts';
import { ACCOUNT_LETTERS, RESET } from './letters.ts';
import { EmailSchema, NewPasswordSchema } from './schema.ts';
import { changePassword } from './sessions.ts';
import { emailOf } from './stored-customers.ts';

/**
 * Faults 106: whatever the email, the same is stored and answered. Whether anybody has it is looked up when the letter is
 * sent.
 */
export const forgotPasswordCall = defineCall({
  method: 'POST',
  path: '/users/forgot-password',
  access: 'public',
  operationId: 'forgotPassword',
  tag: 'Accounts',
  summary: 'Ask for a link to choose a new password',
  description:
    'The link goes to the email by letter, if an account has it. The answer is the same for any email.',
  request: v.object({ body: v.object({ email: EmailSchema }) }),
  status: 200,
  answer: v.object({}),
  failures: [404, 422, 429, 503],
  authorize: requireLetters,
  async handle(context, shop, { body: { email } }) {
    const { resetAddress, reset } = shop.limiters;
    await withLimits(
      [
        [resetAddress, shop.clientAddress(context)],
        [reset, email],
      ],
      () => shop.db.write((transaction) => queueLetter(transaction, shop, ACCOUNT_LETTERS.reset, email)),
      (outcome) => 'value' in outcome,
    );
    return context.json({});
  },
});

const USED_UP = 'This link no longer works. Please ask for a new one.';

const usedUp = (): Refusal => new Refusal(422, USED_UP);

export const resetPasswordCall = defineCall({
  method: 'POST',
  path: '/users/reset-password',
  access: 'public',
  operationId: 'resetPassword',
  tag: 'Accounts',
  summary: 'Choose a new password by a link',
  description: 'Ends all sessions of the account, and does not sign in. A link works once, for 30 minutes.',
  request: v.object({
    body: v.object({
      token: v.pipe(v.string(USED_UP), v.regex(/^[\w-]{1,200}$/, USED_UP)),
      password: NewPasswordSchema,
    }),
  }),
  status: 200,
  answer: v.object({}),
  failures: [404, 422, 503],
  authorize: requireLetters,
  async handle(context, shop, { body: { token, password } }) {
    const userId = await findLink(shop.db, shop.clock(), RESET.purpose, token);
    const email = userId === undefined ? undefined : await emailOf(shop.db, userId);
    if (userId === undefined || email === undefined) throw usedUp();
    // Hashing is slow, so it stands before the transaction and is done for a link that works alone.
    const asker = { address: shop.clientAddress(context), email };
    const passwordHash = await shop.passwords.customers.hash(password, asker);
    await shop.db.write(async (transaction) => {
      if (!(await takeLink(transaction, shop.clock(), RESET.purpose, token))) throw usedUp();
      await changePassword(transaction, shop, userId, passwordHash);
    });
    return context.json({});
  },
});
