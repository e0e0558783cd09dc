import * as v from 'valibot';
import { ACCOUNT_EMAILS, DELETION, EMAIL_CHANGE } from '#server/customers/emails.ts';
import { requirePassword } from '#server/customers/passwords.ts';
import { DeviceSchema, PasswordSchema } from '#server/customers/schema.ts';
import { eraseEmailChange } from '#server/customers/stored-customers.ts';
import { LinkTokenSchema, linkUsedUp, requireEmails, withLink } from '#server/email/links.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { EMAIL_VERIFICATION, isUnverified } from '#server/email/verification.ts';
import { textFile } from '#server/http/documents.ts';
import { defineCall } from '#server/services/call.ts';
import { deleteAccount, personalDataFile } from './personal-data.ts';

const getPersonalDataCall = defineCall('GET /users/data', 'Accounts', 'getPersonalData', {
  access: 'bearer',
  spends: { each: 'personalData' },
  summary: 'Everything that is stored about the customer',
  description:
    'A JSON file to download, with a list for each kind of data. Data that is linked by the email alone, such as emails that others requested, is left out, because registering does not verify the email.',
  answer: v.record(v.string(), v.array(v.looseObject({}))),
  failures: [429],
  handle(context, services) {
    const file = personalDataFile(services.db, context.get('customer'), false);
    // The file is read as fast as the client receives it, and holds a place only while a part is read.
    const next = () => services.limits.lane('read').run(services.payersOf(context), () => file.next());
    return textFile('everything-about-me.json', 'application/json', { next });
  },
});

const requestDeletionCall = defineCall('POST /users/delete', 'Accounts', 'requestDeletion', {
  access: 'bearer',
  spends: { each: 'personalData' },
  summary: 'Request a link that deletes the account',
  description:
    'The link is sent to the email of the account. Nothing is deleted until it is opened and confirmed.',
  request: { body: v.object({ current: PasswordSchema, device: DeviceSchema }) },
  failures: [404, 422, 429, 503],
  authorize: requireEmails,
  async handle(context, services, { body: { current, device } }) {
    const { id } = await requirePassword(context, services, context.get('customer'), current, device);
    await services.db.write((transaction) =>
      queueEmail(transaction, services, ACCOUNT_EMAILS.deletionRequested, id),
    );
    return context.json({});
  },
});

/** Needs no session: the link was sent to the email of the account. */
const confirmDeletionCall = defineCall('POST /users/confirm-deletion', 'Accounts', 'confirmDeletion', {
  access: 'public',
  spends: 'little',
  summary: 'Delete the account by the link of an email',
  description: `Orders on their way are carried out. A link works once, for ${DELETION.minutes} minutes.`,
  request: { body: v.object({ token: LinkTokenSchema }) },
  failures: [404, 422, 503],
  authorize: requireEmails,
  async handle(context, services, { body: { token } }) {
    await withLink(services, [DELETION], token, async (transaction, customerId) => {
      if (!(await deleteAccount(transaction, services, customerId))) throw linkUsedUp();
    });
    return context.json({});
  },
});

/** Lets the owner of an address close an account that somebody else opened with it. */
const rejectAccountCall = defineCall('POST /users/not-mine', 'Accounts', 'rejectAccount', {
  access: 'public',
  spends: 'little',
  summary: 'Say that an account is not of the owner of its address, by the link of an email',
  description:
    'Deletes an account whose email was never confirmed, or ends a change of email. Needs no session.',
  request: { body: v.object({ token: LinkTokenSchema }) },
  failures: [404, 422, 503],
  authorize: requireEmails,
  async handle(context, services, { body: { token } }) {
    const kinds = [EMAIL_VERIFICATION, EMAIL_CHANGE];
    await withLink(services, kinds, token, async (transaction, subjectId, kind) => {
      const [id = ''] = subjectId.split(' ');
      if (kind === EMAIL_CHANGE) return eraseEmailChange(transaction, id);
      if (!(await isUnverified(transaction, subjectId))) throw linkUsedUp();
      return deleteAccount(transaction, services, id);
    });
    return context.json({});
  },
});

export const PERSONAL_DATA_CALLS = [
  getPersonalDataCall,
  requestDeletionCall,
  confirmDeletionCall,
  rejectAccountCall,
];
