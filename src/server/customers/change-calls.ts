import type { Context } from 'hono';
import * as v from 'valibot';
import { EMAIL_TAKEN, NOT_YOUR_PASSWORD, PASSWORD_CHANGED_AGAIN, SAME_EMAIL } from '#domain/refusals.ts';
import { NotUnique } from '#server/db/errors.ts';
import { Refusal } from '#server/http/refusal.ts';
import {
  findLink,
  LinkTokenSchema,
  linkUsedUp,
  requireLetters,
  takeLink,
} from '#server/email/links.ts';
import { EMAIL_PROOF, proveEmail } from '#server/email/proof.ts';
import { defineCall } from '#server/services/call.ts';
import { withLimits } from '#server/services/limits.ts';
import type { Env, Shop } from '#server/services/shop.ts';
import { EMAIL_CHANGE } from './account-links.ts';
import { checkPassword } from './check-password.ts';
import { askEmailChange, confirmEmailChange } from './email-change.ts';
import {
  DeviceSchema,
  EmailSchema,
  NewPasswordSchema,
  PasswordSchema,
  personName,
  TokenSchema,
} from './schema.ts';
import { changePassword, startSession } from './sessions.ts';
import { type Credentials, findCredentials, hasPassword } from './stored-customers.ts';

/** Checks the present password, before the email or the password is changed. @throws Refusal 422, 429, 503 */
async function requirePassword(
  context: Context<Env>,
  shop: Shop,
  password: string,
  device: string | undefined,
): Promise<Credentials> {
  const { email } = context.get('user');
  const credentials = { email, password, device, address: shop.clientAddress(context) };
  const found = await findCredentials(shop.db, email);
  const user = await checkPassword(shop, 'customers', credentials, found);
  if (!user) throw new Refusal(422, NOT_YOUR_PASSWORD);
  return user;
}

export const changeNameCall = defineCall({
  method: 'POST',
  path: '/users/name',
  access: 'bearer',
  operationId: 'changeName',
  tag: 'Accounts',
  summary: 'Change the name of the account',
  description: 'Orders that were placed keep theirs.',
  request: v.object({
    body: v.object({ firstName: personName('First name'), lastName: personName('Last name') }),
  }),
  status: 200,
  answer: v.object({}),
  failures: [422, 503],
  async handle(context, shop, { body: { firstName, lastName } }) {
    const { id } = context.get('user');
    await shop.db.write((transaction) =>
      transaction.run(
        'UPDATE users SET first_name = ?, last_name = ? WHERE id = ? AND closed_at IS NULL',
        firstName,
        lastName,
        id,
      ),
    );
    return context.json({});
  },
});

/** Ends all other sessions, also one that begins at the same moment with the old password. */
export const changePasswordCall = defineCall({
  method: 'POST',
  path: '/users/password',
  access: 'bearer',
  operationId: 'changePassword',
  tag: 'Accounts',
  summary: 'Change the password',
  description: 'Ends all sessions of the account, and begins a new one here.',
  request: v.object({
    body: v.object({ current: PasswordSchema, password: NewPasswordSchema, device: DeviceSchema }),
  }),
  status: 200,
  answer: TokenSchema,
  failures: [404, 422, 429, 503],
  authorize: requireLetters,
  async handle(context, shop, { body: { current, password, device } }) {
    const user = await requirePassword(context, shop, current, device);
    const asker = { address: shop.clientAddress(context), email: context.get('user').email };
    const passwordHash = await shop.passwords.customers.hash(password, asker);
    await shop.db.write(async (transaction) => {
      if (!(await hasPassword(transaction, user))) throw new Refusal(422, NOT_YOUR_PASSWORD);
      await changePassword(transaction, shop, user.id, passwordHash);
    });
    const session = await startSession(shop, { id: user.id, passwordHash }, device);
    if (!session) throw new Refusal(422, PASSWORD_CHANGED_AGAIN);
    return context.json(session);
  },
});

export const changeEmailCall = defineCall({
  method: 'POST',
  path: '/users/email',
  access: 'bearer',
  operationId: 'changeEmail',
  tag: 'Accounts',
  summary: 'Ask to change the email',
  description: `Both addresses get a letter with a link. The account has the new email once both were opened, within ${EMAIL_CHANGE.minutes} minutes.`,
  request: v.object({
    body: v.object({ email: EmailSchema, current: PasswordSchema, device: DeviceSchema }),
  }),
  status: 200,
  answer: v.object({}),
  failures: [404, 422, 429, 503],
  authorize: requireLetters,
  async handle(context, shop, { body: { email, current, device } }) {
    if (email === context.get('user').email) throw new Refusal(422, SAME_EMAIL);
    const user = await requirePassword(context, shop, current, device);
    const { reset } = shop.limiters;
    await withLimits(
      [
        [reset, `change of ${user.id}`],
        [reset, `change to ${email}`, shop.clientAddress(context)],
      ],
      () =>
        shop.db.write(async (transaction) => {
          if (!(await hasPassword(transaction, user))) throw new Refusal(422, NOT_YOUR_PASSWORD);
          await askEmailChange(transaction, shop, user.id, email);
        }),
    );
    return context.json({});
  },
});

export const confirmEmailCall = defineCall({
  method: 'POST',
  path: '/users/confirm-email',
  access: 'public',
  operationId: 'confirmEmail',
  tag: 'Accounts',
  summary: 'Confirm an email by the link of a letter',
  description:
    'Of an account whose email is not confirmed yet, or of a change of email. `done` is false where the other address must still confirm the change.',
  request: v.object({
    body: v.object({ token: LinkTokenSchema }),
  }),
  status: 200,
  answer: v.object({ done: v.boolean() }),
  failures: [404, 422, 503],
  authorize: requireLetters,
  async handle(context, shop, { body: { token } }) {
    const confirming = shop.db.write(async (transaction) => {
      const now = shop.clock();
      if ((await findLink(transaction, now, EMAIL_PROOF.purpose, token)) !== undefined) {
        const proof = await takeLink(transaction, now, EMAIL_PROOF.purpose, token);
        if (!(await proveEmail(transaction, proof))) throw linkUsedUp();
        return true;
      }
      const about = await takeLink(transaction, now, EMAIL_CHANGE.purpose, token);
      return confirmEmailChange(transaction, shop, about);
    });
    const done = await confirming.catch((error: unknown) => {
      // Somebody registers the email at the same moment.
      throw error instanceof NotUnique ? new Refusal(422, EMAIL_TAKEN) : error;
    });
    return context.json({ done });
  },
});
