import * as v from 'valibot';
import { change, type Done } from '#server/admin/change.ts';
import type { RecordChange } from '#server/admin/change-log.ts';
import { type AdminContext, staffOf } from '#server/admin/page.ts';
import { ADMIN } from '#server/admin/paths.ts';
import type { Transaction } from '#server/db/database.ts';
import { defineEmail } from '#server/email/email.ts';
import { type OutboxServices, queueEmail } from '#server/email/outbox.ts';
import type { Services } from '#server/services/services.ts';
import { findOwners } from './stored-staff.ts';

const DetailsSchema = v.object({ to: v.string(), who: v.string(), action: v.string() });

type Details = v.InferOutput<typeof DetailsSchema>;

const accessChanged = defineEmail<Details, Omit<Details, 'to'> & { readonly target: string }>({
  kind: 'accessChanged',
  isToStaff: true,
  isUrgent: true,
  when: 'Somebody changed how a staff member gets into the admin: to the staff member and each owner',
  details: DetailsSchema,
  find: async (_db, target, { to, ...facts }) => ({
    address: to,
    name: '',
    language: 'en',
    facts: { ...facts, target },
  }),
  sample: { who: 'asha@example.com', action: 'switched off the second factor', target: 'bina@example.com' },
  write: (_language, { who, action, target }, { api }) => ({
    subject: `Access to the admin was changed: ${target}`,
    blocks: [
      { text: `${who} ${action}: ${target}.` },
      {
        text: 'If that was not meant, remove the staff member or make a new link, which ends all sessions. The only owner gets in by npm run staff -- link EMAIL on the server.',
      },
      { button: 'Open the staff', address: `${api}${ADMIN}/staff` },
    ],
  }),
});

export const STAFF_EMAILS = { accessChanged };

/** Returns a log whose entries are also emailed to the staff member concerned and to the owners. */
export const withAccessEmails =
  (transaction: Transaction, services: OutboxServices, who: string, log: RecordChange): RecordChange =>
  async (entry) => {
    await log(entry);
    const {
      action,
      target: [, target],
    } = entry;
    const owners = (await findOwners(transaction)).map(({ email }) => email);
    for (const to of new Set([...owners, ...(target.includes('@') ? [target] : [])]))
      await queueEmail(transaction, services, accessChanged, target, { who, action, to });
  };

/** A `change` of how a staff member signs in to the admin. */
export const changeAccess = (
  context: AdminContext,
  services: Services,
  work: (transaction: Transaction, log: RecordChange) => Promise<Done>,
): Promise<Response> =>
  change(context, services, (transaction, log) =>
    work(transaction, withAccessEmails(transaction, services, staffOf(context).email, log)),
  );
