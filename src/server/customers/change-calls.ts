import * as v from 'valibot';
import { mailboxOf } from '#domain/email.ts';
import {
  CONFIRM_WITH_PASSWORD,
  EMAIL_TAKEN,
  NOT_YOUR_PASSWORD,
  PASSWORD_CHANGED_AGAIN,
  SAME_EMAIL,
} from '#domain/refusals.ts';
import type { Transaction } from '#server/db/database.ts';
import { NotUnique } from '#server/db/errors.ts';
import { q } from '#server/db/query.ts';
import { findToken } from '#server/db/tokens.ts';
import { LinkTokenSchema, linkUsedUp, requireEmails, withLink } from '#server/email/links.ts';
import { type OutboxServices, queueEmail } from '#server/email/outbox.ts';
import { EMAIL_VERIFICATION, verifyEmail } from '#server/email/verification.ts';
import { Refusal, unauthorized } from '#server/http/refusal.ts';
import { defineCall } from '#server/services/call.ts';
import type { Customer, Services } from '#server/services/services.ts';
import { ACCOUNT_EMAILS, EMAIL_CHANGE, endAccountLinks } from './emails.ts';
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
import {
  eraseEmailChange,
  findCustomer,
  findEmailChange,
  findRecipient,
  hasPassword,
  lockCustomer,
} from './stored-customers.ts';

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

/** Both addresses must confirm: the old one to agree, the new one to be verified. */
const SIDES = ['old', 'new'] as const;

/** Replaces an earlier request, and sends an email to both addresses. @throws Refusal 401 */
export async function requestEmailChange(
  transaction: Transaction,
  services: OutboxServices,
  customerId: string,
  email: string,
): Promise<void> {
  if (!(await lockCustomer(transaction, customerId))) throw unauthorized();
  await eraseEmailChange(transaction, customerId);
  const expiresAt = services.clock() + EMAIL_CHANGE.minutes * 60_000;
  const change = { customerId, email, oldConfirmed: 0, newConfirmed: 0, expiresAt };
  await transaction.run(q.insertInto('emailChanges').values(change));
  for (const side of SIDES)
    await queueEmail(transaction, services, ACCOUNT_EMAILS.emailRequested, customerId, { email, side });
}

const SubjectSchema = v.tuple([v.string(), v.picklist(SIDES), v.string()]);

/**
 * Confirms one side of a change. Returns whether the account has the new email now. @param subjectId of the link
 * @throws Refusal 422 if the change has expired or was replaced, or another account has the email
 */
async function confirmEmailChange(
  transaction: Transaction,
  services: OutboxServices,
  subjectId: string,
): Promise<boolean> {
  const parsed = v.safeParse(SubjectSchema, subjectId.split(' '));
  if (!parsed.success) throw linkUsedUp();
  const [customerId, side, email] = parsed.output;
  const update = q
    .updateTable('emailChanges')
    .set(side === 'old' ? { oldConfirmed: 1 } : { newConfirmed: 1 });
  const own = update.where('customerId', '=', customerId).where('email', '=', email);
  const confirmed = await transaction.run(own.where('expiresAt', '>', services.clock()));
  const change = await findEmailChange(transaction, customerId, services.clock());
  if (confirmed === 0 || !change) throw linkUsedUp();
  if (change.oldConfirmed === 0 || change.newConfirmed === 0) return false;
  const before = await findRecipient(transaction, customerId);
  const changed = await transaction.run(
    q
      .updateTable('customers')
      .set({ email, emailVerified: 1 })
      .where('id', '=', customerId)
      .where('closedAt', 'is', null)
      .where(({ not, exists }) =>
        not(exists(q.selectFrom('customers').select('id').where('email', '=', email))),
      ),
  );
  if (changed === 0 || !before) throw new Refusal(422, EMAIL_TAKEN);
  await eraseEmailChange(transaction, customerId);
  // Links that were sent to the old address must no longer work.
  await endAccountLinks(transaction, services.clock(), { id: customerId, email: before.address });
  await queueEmail(transaction, services, ACCOUNT_EMAILS.emailChanged, customerId, {
    before: before.address,
  });
  return true;
}

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
