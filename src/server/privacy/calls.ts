import * as v from 'valibot';
import { DELETION } from '#server/customers/account-links.ts';
import { ACCOUNT_EMAILS } from '#server/customers/emails.ts';
import { LinkTokenSchema, linkUsedUp, redeemLink, requireEmails } from '#server/email/links.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { textFile } from '#server/http/text-file.ts';
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
    // The file is read as fast as it is received: only a part that is being read holds a place.
    const next = () => services.limits.inLane('read', services.payersOf(context), () => file.next());
    return textFile('everything-about-me.json', 'application/json', { next });
  },
});

const requestDeletionCall = defineCall('POST /users/delete', 'Accounts', 'requestDeletion', {
  access: 'bearer',
  spends: { each: 'personalData' },
  summary: 'Request a link that deletes the account',
  description:
    'The link is sent to the email of the account. Nothing is deleted until it is opened and confirmed.',
  failures: [404, 429, 503],
  authorize: requireEmails,
  async handle(context, services) {
    const { id } = context.get('customer');
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
    await services.db.write(async (transaction) => {
      const customerId = await redeemLink(transaction, services.clock(), DELETION, token);
      if (!(await deleteAccount(transaction, services, customerId))) throw linkUsedUp();
    });
    return context.json({});
  },
});

export const PERSONAL_DATA_CALLS = [getPersonalDataCall, requestDeletionCall, confirmDeletionCall];
