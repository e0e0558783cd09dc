import * as v from 'valibot';
import { mailboxOf } from '#domain/email.ts';
import {
  CONFIRM_WITH_PASSWORD,
  EMAIL_TAKEN,
  NOT_YOUR_PASSWORD,
  PASSWORD_CHANGED_AGAIN,
  SAME_EMAIL,
} from '#domain/refusals.ts';
import { NotUnique } from '#server/db/errors.ts';
import { q } from '#server/db/query.ts';
import { findToken } from '#server/db/tokens.ts';
import { LinkTokenSchema, linkUsedUp, requireEmails, withLink } from '#server/email/links.ts';
import { EMAIL_VERIFICATION, verifyEmail } from '#server/email/verification.ts';
import { Refusal } from '#server/http/refusal.ts';
import { defineCall } from '#server/services/call.ts';
import type { Customer, Services } from '#server/services/services.ts';
import { EMAIL_CHANGE } from './account-links.ts';
import { confirmEmailChange, requestEmailChange } from './email-change.ts';
import { hashPassword, requirePassword } from './passwords.ts';
import {
  DeviceSchema,
  EmailSchema,
  NewPasswordSchema,
  nameSchema,
  PasswordSchema,
  TokenSchema,
} from './schema.ts';
import { changePassword, sessionCustomer, startSession } from './sessions.ts';
import { findCustomer, hasPassword } from './stored-customers.ts';

const changeNameCall = defineCall('POST /users/name', 'Accounts', 'changeName', {
  access: 'bearer',
  spends: 'little',
  summary: 'Change the name of the account',
  description: 'Earlier orders keep the old name.',
  request: { body: v.object({ firstName: nameSchema('First name'), lastName: nameSchema('Last name') }) },
  failures: [422, 503],
  async handle(context, services, { body: { firstName, lastName } }) {
    const { id } = context.get('customer');
    await services.db.write((transaction) =>
      transaction.run(
        q
          .updateTable('customers')
          .set({ firstName, lastName })
          .where('id', '=', id)
          .where('closedAt', 'is', null),
      ),
    );
    return context.json({});
  },
});

/** Ends all other sessions, even one that is started with the old password at the same moment. */
const changePasswordCall = defineCall('POST /users/password', 'Accounts', 'changePassword', {
  access: 'bearer',
  spends: { handled: 'password' },
  summary: 'Change the password',
  description: 'Ends all sessions of the account, and starts a new one.',
  request: { body: v.object({ current: PasswordSchema, password: NewPasswordSchema, device: DeviceSchema }) },
  answer: TokenSchema,
  failures: [404, 422, 429, 503],
  authorize: requireEmails,
  async handle(context, services, { body: { current, password, device } }) {
    const customer = await requirePassword(context, services, context.get('customer'), current, device);
    const payers = services.payersOf(context);
    const passwordHash = await hashPassword(services, password, 'customersHashOnKnownDevice', payers);
    await services.db.write(async (transaction) => {
      if (!(await hasPassword(transaction, customer))) throw new Refusal(422, NOT_YOUR_PASSWORD);
      await changePassword(transaction, services, customer.id, passwordHash);
    });
    const session = await startSession(services, { id: customer.id, passwordHash }, device);
    if (!session) throw new Refusal(422, PASSWORD_CHANGED_AGAIN);
    return context.json(session);
  },
});

const changeEmailCall = defineCall('POST /users/email', 'Accounts', 'changeEmail', {
  access: 'bearer',
  spends: { handled: 'emailChange' },
  summary: 'Request a change of the email',
  description: `Both addresses get an email with a link. The account has the new email once both were opened, within ${EMAIL_CHANGE.minutes} minutes.`,
  request: { body: v.object({ email: EmailSchema, current: PasswordSchema, device: DeviceSchema }) },
  failures: [404, 422, 429, 503],
  authorize: requireEmails,
  async handle(context, services, { body: { email, current, device } }) {
    if (email === context.get('customer').email) throw new Refusal(422, SAME_EMAIL);
    const customer = await requirePassword(context, services, context.get('customer'), current, device);
    const payers = { ...services.payersOf(context), target: mailboxOf(email) };
    await services.limits.spend(['emailChange'], payers, () =>
      services.db.write(async (transaction) => {
        if (!(await hasPassword(transaction, customer))) throw new Refusal(422, NOT_YOUR_PASSWORD);
        await requestEmailChange(transaction, services, customer.id, email);
      }),
    );
    return context.json({});
  },
});

const LINKS = [EMAIL_VERIFICATION, EMAIL_CHANGE];

/** @throws Refusal 422 */
async function findCustomerOfLink({ db, clock }: Services, token: string): Promise<Customer> {
  const [found] = (await Promise.all(LINKS.map((kind) => findToken(db, clock(), kind, token)))).filter(
    Boolean,
  );
  const customer = found ? await findCustomer(db, found.split(' ')[0] ?? '') : undefined;
  if (!customer) throw linkUsedUp();
  return customer;
}

const confirmEmailCall = defineCall('POST /users/confirm-email', 'Accounts', 'confirmEmail', {
  access: 'public',
  spends: 'little',
  summary: 'Confirm an email by the link of an email',
  description:
    'Confirms the email of an account, or one side of a change of email. Needs the token or the password of that account, because anybody may have registered the address. `done` is false if the other address must still confirm the change.',
  request: {
    body: v.object({
      token: LinkTokenSchema,
      current: v.optional(PasswordSchema),
      device: DeviceSchema,
    }),
  },
  answer: v.object({ done: v.boolean() }),
  failures: [404, 422, 429, 503],
  authorize: requireEmails,
  async handle(context, services, { body: { token, current, device } }) {
    const customer = await findCustomerOfLink(services, token);
    if ((await sessionCustomer(services, context))?.id !== customer.id) {
      if (current === undefined) throw new Refusal(422, CONFIRM_WITH_PASSWORD);
      await requirePassword(context, services, customer, current, device);
    }
    const confirming = withLink(services, LINKS, token, async (transaction, subjectId, kind) => {
      if (kind === EMAIL_CHANGE) return confirmEmailChange(transaction, services, subjectId);
      if (!(await verifyEmail(transaction, subjectId))) throw linkUsedUp();
      return true;
    });
    const done = await confirming.catch((error: unknown) => {
      // Another visitor registered the email at the same moment.
      throw error instanceof NotUnique ? new Refusal(422, EMAIL_TAKEN) : error;
    });
    return context.json({ done });
  },
});

export const ACCOUNT_CHANGE_CALLS = [changeNameCall, changePasswordCall, changeEmailCall, confirmEmailCall];
