import * as v from 'valibot';
import { indianDay } from '#domain/date.ts';
import { type Access, mayOpen, type Role, RoleSchema } from '#server/admin/roles.ts';
import { json } from '#server/db/columns.ts';
import type { Transaction } from '#server/db/database.ts';
import { q, type RowOf } from '#server/db/query.ts';
import type { Email } from '#server/email/email.ts';
import { type OutboxServices, queueEmail } from '#server/email/outbox.ts';
import { HOUR, MINUTE, SKEW } from '#server/process/clock.ts';
import type { Services } from '#server/services/services.ts';

/** Each staff member chooses how soon emails about a topic are sent. */
export const CHOICES = {
  now: 'At once, in one email at most every five minutes',
  hourly: 'Every hour',
  daily: 'Once a day',
  never: 'Never',
} as const;

type Choice = keyof typeof CHOICES;

interface TopicRow {
  readonly label: string;
  readonly hint?: string;
  /** Those who may open its pages. */
  readonly access: Access;
  readonly byDefault: Choice;
}

const ROWS = {
  orders: { label: 'New orders', access: 'orders.read', byDefault: 'never' },
  cancellations: {
    label: 'Cancelled orders',
    hint: 'If its packing slip was printed, you get the email at once, unless you choose Never.',
    access: 'orders.read',
    byDefault: 'never',
  },
  returns: { label: 'Returns', access: 'orders.read', byDefault: 'never' },
  messages: {
    label: 'Messages of the contact form',
    hint: 'The message itself goes to the email of the store.',
    access: 'staff',
    byDefault: 'never',
  },
  money: { label: 'Payments that need attention', access: 'payments.read', byDefault: 'now' },
} as const satisfies Record<string, TopicRow>;

export type Topic = keyof typeof ROWS;

export const TOPICS: Readonly<Record<Topic, TopicRow>> = ROWS;

const isTopic = (name: string): name is Topic => Object.hasOwn(TOPICS, name);

export const TOPIC_NAMES = Object.keys(TOPICS).filter(isTopic);

export const topicsOf = (role: Role): Topic[] =>
  TOPIC_NAMES.filter((topic) => mayOpen({ method: 'GET', access: TOPICS[topic].access }, role));

/** What a staff member chose, by topic. For other topics the default counts. */
export const ChoicesSchema = v.record(
  v.string(),
  v.picklist(['now', 'hourly', 'daily', 'never'] satisfies Choice[], 'Choose one of these'),
);

const MEMBER = q.selectFrom('staff').select(['staff.id', 'role', 'notifications', 'notifiedAt']);

const PARSERS = { role: RoleSchema, notifications: json(ChoicesSchema) };

type Member = Pick<RowOf<typeof MEMBER, typeof PARSERS>, 'role' | 'notifications'>;

export const choiceOf = ({ role, notifications }: Member, topic: Topic): Choice =>
  topicsOf(role).includes(topic) ? (notifications[topic] ?? TOPICS[topic].byDefault) : 'never';

export const findChoices = (db: Pick<Transaction, 'row'>, staffId: string) =>
  db.row(MEMBER.where('id', '=', staffId), PARSERS);

/**
 * Notes news for the staff who want it, in the transaction of the change. `sendNotifications` makes few emails of many notes. A
 * subject that is noted already is not noted again.
 * @param subjectId what `app/staff-notifications.ts` reads to write the text
 * @param isUrgent whether it is sent at once to all but those who chose Never
 */
export async function notifyStaff(
  transaction: Transaction,
  { settings, clock }: OutboxServices,
  topic: Topic,
  subjectId: string,
  isUrgent = false,
): Promise<void> {
  if (!settings.mail) return;
  const members = await transaction.rows(MEMBER.where('passwordHash', 'is not', null).orderBy('id'), PARSERS);
  for (const member of members) {
    if (choiceOf(member, topic) === 'never') continue;
    const row = { staffId: member.id, topic, subjectId, isUrgent: isUrgent ? 1 : 0, createdAt: clock() };
    await transaction.run(
      q
        .insertInto('notifications')
        .values(row)
        .onConflict((conflict) => conflict.doNothing()),
    );
  }
}

/** The shortest time between two emails at once, in ms. */
const AT_MOST_EVERY = 5 * MINUTE;

const WAITING = MEMBER.innerJoin('notifications as waiting', 'waiting.staffId', 'staff.id')
  .select(['topic', 'subjectId', 'isUrgent', 'waiting.createdAt'])
  .orderBy('staff.id')
  .orderBy('waiting.createdAt')
  .orderBy('subjectId');

type Waiting = RowOf<typeof WAITING, typeof PARSERS>;

/** Whether it is time to send a note. One of the future is of a clock that was wrong, and waits for nothing. */
function isDue(row: Waiting, { settings, clock }: OutboxServices): boolean {
  const { createdAt, notifiedAt, isUrgent } = row;
  const now = clock();
  const isPast = (at: number, wait: number) => at + wait <= now || at > now + SKEW;
  const day = (at: number) => indianDay(at - settings.dailyEmailHour * HOUR);
  const choice = isTopic(row.topic) ? choiceOf(row, row.topic) : 'never';
  if (choice === 'never') return true;
  if (choice === 'now' || isUrgent === 1) return isPast(notifiedAt, AT_MOST_EVERY);
  return choice === 'hourly' ? isPast(createdAt, HOUR) : day(createdAt) !== day(now);
}

/** What an email to a staff member is about. */
export const NotificationsSchema = v.array(
  v.object({ topic: v.picklist(TOPIC_NAMES), subjectId: v.string() }),
);

export type Notifications = v.InferOutput<typeof NotificationsSchema>;

/**
 * Puts what is due into one email for each staff member. The notes are deleted in the transaction that queues the email, so
 * none is lost or sent twice when a process dies.
 */
export async function sendNotifications(services: Services, email: Email<Notifications>): Promise<void> {
  const { db, clock } = services;
  const due = (await db.rows(WAITING, PARSERS)).filter((row) => isDue(row, services));
  for (const [staffId, rows = []] of Map.groupBy(due, ({ id }) => id))
    await db.write(async (transaction) => {
      const taken: Notifications = [];
      for (const row of rows) {
        const { topic, subjectId } = row;
        const note = q.deleteFrom('notifications').where('staffId', '=', staffId).where('topic', '=', topic);
        const isMine = (await transaction.run(note.where('subjectId', '=', subjectId))) > 0;
        if (isMine && isTopic(topic) && choiceOf(row, topic) !== 'never') taken.push({ topic, subjectId });
      }
      if (taken.length === 0) return;
      await transaction.run(q.updateTable('staff').set({ notifiedAt: clock() }).where('id', '=', staffId));
      await queueEmail(transaction, services, email, staffId, taken);
    });
}
