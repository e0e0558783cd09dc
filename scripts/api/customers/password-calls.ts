import * as v from 'valibot';
import {
  findLink,
  LinkTokenSchema,
  linkUsedUp,
  requireLetters,
  takeLink,
} from '#scripts/api/letters/links.ts';
import { queueLetter } from '#scripts/api/letters/outbox.ts';
import { defineCall } from '#scripts/api/shop/call.ts';
import { withLimits } from '#scripts/api/shop/limits.ts';
import { RESET } from './account-links.ts';
import { rememberDevice } from './known-devices.ts';
import { ACCOUNT_LETTERS } from './letters.ts';
import { DeviceAnswerSchema, EmailSchema, NewPasswordSchema } from './schema.ts';
import { changePassword } from './sessions.ts';
import { emailOf } from './stored-customers.ts';

/**
 * Does the same for every email, so that the answer does not tell whether an account has it. That is looked up when the
 * letter is sent.
 */
export const forgotPasswordCall = defineCall({
  method: 'POST',
  path: '/users/forgot-password',
  access: 'public',
  operationId: 'forgotPassword',
  tag: 'Accounts',
  summary: 'Ask for a link to choose a new password',
  description:
    'The link goes to the email by letter, if an account has it. The answer is the same for every email.',
  request: v.object({ body: v.object({ email: EmailSchema }) }),
  status: 200,
  answer: v.object({}),
  failures: [404, 422, 429, 503],
  authorize: requireLetters,
  async handle(context, shop, { body: { email } }) {
    const { resetAddress, reset } = shop.limiters;
    const caller = shop.clientAddress(context);
    await withLimits(
      [
        [resetAddress, caller],
        [reset, email, caller],
      ],
      () => shop.db.write((transaction) => queueLetter(transaction, shop, ACCOUNT_LETTERS.reset, email)),
    );
    return context.json({});
  },
});

export const resetPasswordCall = defineCall({
  method: 'POST',
  path: '/users/reset-password',
  access: 'public',
  operationId: 'resetPassword',
  tag: 'Accounts',
  summary: 'Choose a new password by a link',
  description: `Ends all sessions of the account, and does not sign in. The account knows this device by its new token, as after a sign-in. A link works once, for ${RESET.minutes} minutes.`,
  request: v.object({
    body: v.object({ token: LinkTokenSchema, password: NewPasswordSchema }),
  }),
  status: 200,
  answer: DeviceAnswerSchema,
  failures: [404, 422, 503],
  authorize: requireLetters,
  async handle(context, shop, { body: { token, password } }) {
    const userId = await findLink(shop.db, shop.clock(), RESET.purpose, token);
    const email = userId === undefined ? undefined : await emailOf(shop.db, userId);
    if (userId === undefined || email === undefined) throw linkUsedUp();
    // Hashing is slow, so it comes before the transaction, and only a link that works is worth it.
    const asker = { address: shop.clientAddress(context), email };
    const passwordHash = await shop.passwords.customers.hash(password, asker);
    // Whoever guessed passwords until now must not lock out the person who chose a new one.
    const device = await shop.db.write(async (transaction) => {
      await takeLink(transaction, shop.clock(), RESET.purpose, token);
      // The link went to the account's email, so whoever has it reads that email.
      await transaction.run('UPDATE users SET email_proven = 1 WHERE id = ?', userId);
      await changePassword(transaction, shop, userId, passwordHash);
      return rememberDevice(transaction, shop, 'customers', userId, undefined);
    });
    return context.json({ device });
  },
});
