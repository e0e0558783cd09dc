import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { mailboxOf } from '#domain/email.ts';
import { WRONG_CREDENTIALS } from '#domain/refusals.ts';
import { q } from '#server/db/query.ts';
import { findToken } from '#server/db/tokens.ts';
import { LinkTokenSchema, linkUsedUp, redeemLink, requireEmails } from '#server/email/links.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { Refusal } from '#server/http/refusal.ts';
import { isoTime } from '#server/process/clock.ts';
import { defineCall } from '#server/services/call.ts';
import { ACCOUNT_EMAILS, RESET } from './emails.ts';
import { rememberDevice } from './known-devices.ts';
import { checkPassword, hashPassword } from './passwords.ts';
import {
  AccountSchema,
  DeviceAnswerSchema,
  EmailSchema,
  NewPasswordSchema,
  RegisteredSchema,
  RegistrationSchema,
  SignInSchema,
  TokenSchema,
} from './schema.ts';
import { changePassword, endSession, SESSION, startSession } from './sessions.ts';
import { addCustomer, findCredentials, findCustomer, findEmailChange } from './stored-customers.ts';

const signInCall = defineCall('POST /users/authorize', 'Accounts', 'signIn', {
  access: 'public',
  spends: { handled: 'password' },
  summary: 'Sign in',
  description: `The token is sent as Authorization: Bearer from then on, for ${SESSION.minutes / (24 * 60)} days. \`device\` is sent with the next sign-in on this device, so that strangers who guess cannot lock it out.`,
  request: { body: SignInSchema },
  answer: TokenSchema,
  failures: [401, 422, 429, 503],
  async handle(context, services, { body }) {
    const found = await findCredentials(services.db, body.email);
    const customer = await checkPassword(context, services, 'customers', body, found);
    const session = customer && (await startSession(services, customer, body.device));
    if (!session) throw new Refusal(401, WRONG_CREDENTIALS);
    return context.json(session);
  },
});

/** A taken email gets the same error as any other failure, and counts towards the limit like a success. */
const registerCall = defineCall('POST /users/register', 'Accounts', 'register', {
  access: 'public',
  spends: { handled: 'registration' },
  summary: 'Open an account',
  description: 'Does not sign in.',
  request: { body: RegistrationSchema },
  status: 201,
  answer: RegisteredSchema,
  failures: [422, 429, 503],
  async handle(context, services, { body: { password, language, ...registration } }) {
    const payers = services.callerOf(context);
    const attempt = async (): Promise<boolean> => {
      const passwordHash = await hashPassword(services, password, 'customersHash', payers);
      return addCustomer(
        services.db,
        { ...registration, id: randomUUID(), createdAt: services.clock(), emailVerified: 0 },
        passwordHash,
        language,
      );
    };
    const isNew = await services.limits.spend(['registration'], payers, attempt);
    if (!isNew) throw new Refusal(422, 'Failed to register. Please try again.');
    const { email, firstName, lastName } = registration;
    return context.json({ data: { email, firstName, lastName } }, 201);
  },
});

const signOutCall = defineCall('POST /users/logout', 'Accounts', 'signOut', {
  access: 'public',
  spends: 'little',
  summary: 'Sign out',
  description:
    'Ends the session of the token in Authorization: Bearer. A token that is unknown or missing gets the same answer.',
  failures: [503],
  async handle(context, services) {
    await endSession(services, context);
    return context.json({});
  },
});

const getAccountCall = defineCall('GET /accountInfo', 'Accounts', 'getAccount', {
  access: 'bearer',
  spends: 'little',
  summary: 'Get the account of the signed-in customer',
  description:
    'The name, the email and the time of registration of the token’s customer, and the new email that is not confirmed yet.',
  answer: AccountSchema,
  async handle(context, services) {
    const { id, firstName, lastName, email, createdAt } = context.get('customer');
    const change = await findEmailChange(services.db, id, services.clock());
    const newEmail = change && { newEmail: change.email };
    return context.json({ data: { firstName, lastName, email, createdAt: isoTime(createdAt), ...newEmail } });
  },
});

/** Does the same for every email, so that it reveals no account. The account is looked up when the email is sent. */
const forgotPasswordCall = defineCall('POST /users/forgot-password', 'Accounts', 'forgotPassword', {
  access: 'public',
  spends: { handled: 'passwordLink' },
  summary: 'Request a link to choose a new password',
  description:
    'The link is sent to this email, if an account has it. The answer is the same for every email.',
  request: { body: v.object({ email: EmailSchema }) },
  failures: [404, 422, 429, 503],
  authorize: requireEmails,
  async handle(context, services, { body: { email } }) {
    const payers = { ...services.callerOf(context), email, target: mailboxOf(email) };
    await services.limits.spend(['passwordLink'], payers, () =>
      services.db.write((transaction) => queueEmail(transaction, services, ACCOUNT_EMAILS.reset, email)),
    );
    return context.json({});
  },
});

const resetPasswordCall = defineCall('POST /users/reset-password', 'Accounts', 'resetPassword', {
  access: 'public',
  spends: 'little',
  summary: 'Choose a new password by a link',
  description: `Ends all sessions of the account, and does not sign in. The account knows this device by its new token, as after a sign-in. A link works once, for ${RESET.minutes} minutes.`,
  request: { body: v.object({ token: LinkTokenSchema, password: NewPasswordSchema }) },
  answer: DeviceAnswerSchema,
  failures: [404, 422, 503],
  authorize: requireEmails,
  async handle(context, services, { body: { token, password } }) {
    const customerId = await findToken(services.db, services.clock(), RESET, token);
    const customer = customerId === undefined ? undefined : await findCustomer(services.db, customerId);
    if (!customer) throw linkUsedUp();
    const { id, email } = customer;
    // Hashing is slow, so it is done before the transaction, and only for a valid link.
    const payers = { ...services.callerOf(context), account: email };
    const passwordHash = await hashPassword(services, password, 'customersHashOnKnownDevice', payers);
    // The device becomes a known one, so that a stranger's wrong guesses do not lock out the customer.
    const device = await services.db.write(async (transaction) => {
      await redeemLink(transaction, services.clock(), RESET, token);
      // The link was sent to the account's email, so opening it verifies that email.
      await transaction.run(q.updateTable('customers').set({ emailVerified: 1 }).where('id', '=', id));
      await changePassword(transaction, services, id, passwordHash);
      return rememberDevice(transaction, services, id);
    });
    return context.json({ device });
  },
});

export const ACCOUNT_CALLS = [
  signInCall,
  signOutCall,
  registerCall,
  forgotPasswordCall,
  resetPasswordCall,
  getAccountCall,
];
