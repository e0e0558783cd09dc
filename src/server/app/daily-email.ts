import * as v from 'valibot';
import { formatOrderDate, indianMinute } from '#domain/date.ts';
import { formatPaise } from '#domain/money.ts';
import { STATUSES } from '#domain/order-status.ts';
import { plural } from '#domain/text.ts';
import { ADMIN } from '#server/admin/paths.ts';
import type { Reader } from '#server/db/database.ts';
import { advanceMeta, readMeta } from '#server/db/meta.ts';
import { adminFindings } from '#server/doctor/checks.ts';
import { type Block, defineEmail } from '#server/email/email.ts';
import { endOfDay, orderTotals, startOfDay } from '#server/fulfilment/admin/listed-orders.ts';
import { HOUR, isoTime } from '#server/process/clock.ts';
import type { Services } from '#server/services/services.ts';
import { findOwner, OWNER_DETAILS, queueEmailForOwners } from '#server/staff/stored-staff.ts';
import { openTasks } from './tasks.ts';

/** The row of `meta` with the last day on which this email was queued. */
const LAST_QUEUED_ON = 'daily_email_on';

/** Counted when the email is queued, for a day in India such as '2026-01-05'. */
const FactsSchema = v.object({
  subject: v.string(),
  rows: v.array(v.tuple([v.string(), v.string()])),
  tasks: v.array(v.string()),
  findings: v.array(v.string()),
});

type Facts = v.InferOutput<typeof FactsSchema>;

const listBlocks = (title: string, lines: readonly string[]): Block[] =>
  lines.length === 0 ? [] : [{ text: title }, ...lines.map((line) => ({ text: `• ${line}` }))];

const daily = defineEmail({
  kind: 'daily',
  isToStaff: true,
  when: 'Each morning, with the orders of the day before, the open tasks, and what the checks have found: to each owner',
  details: v.object({ ...OWNER_DETAILS, ...FactsSchema.entries }),
  async find(db: Reader, _day: string, { owner, ...facts }: Facts & { owner: string }) {
    const recipient = await findOwner(db, owner);
    return recipient && { ...recipient, facts };
  },
  sample: {
    subject: '5 January 2026: 12 orders, ₹22,770',
    rows: [
      ['Orders', '12, ₹22,770'],
      ['Of these paid', '8, ₹15,180'],
      ['Of these to collect on delivery', '2, ₹3,795'],
      ['Cash to collect in all', '5, ₹9,487.50'],
    ],
    tasks: ['1 payment needs attention', '3 orders to pack'],
    findings: ['The last backup is 3 days old. Run npm run backup -- FILE every night.'],
  },
  write: (_language, { subject, rows, tasks, findings }: Facts, { api }) => ({
    subject,
    blocks: [
      { rows },
      ...(tasks.length === 0 ? [{ text: 'There are no open tasks.' }] : listBlocks('Tasks:', tasks)),
      ...listBlocks('The checks of the shop have found:', findings),
      { button: 'Open the admin', address: `${api}${ADMIN}` },
    ],
  }),
});

export const DAILY_EMAILS = { daily };

async function factsOf(services: Services, day: string): Promise<Facts> {
  const placed = { from: startOfDay(day), until: endOfDay(day) };
  const filters = [
    ['Of these paid', { ...placed, money: 'paid' }],
    ['Of these partly paid', { ...placed, money: 'partly_paid' }],
    ['Of these partly refunded', { ...placed, money: 'partly_refunded' }],
    ['Of these to collect on delivery', { ...placed, money: 'to_collect' }],
    ['Of these unpaid', { ...placed, money: 'unpaid' }],
    ['Of these cancelled', { ...placed, status: STATUSES.cancelled.code }],
    ['Cash to collect in all', { money: 'to_collect' }],
  ] as const;
  const { count, paise } = await orderTotals(services.db, placed);
  const rows: Facts['rows'] = [['Orders', `${count}, ${formatPaise(paise)}`]];
  for (const [label, filter] of filters) {
    const totals = await orderTotals(services.db, filter);
    const paise = 'money' in filter && filter.money === 'to_collect' ? totals.toPayPaise : totals.paise;
    if (totals.count > 0) rows.push([label, `${totals.count}, ${formatPaise(paise)}`]);
  }
  const tasks = await openTasks(services, () => true);
  const findings = await adminFindings(services);
  return {
    subject: `${formatOrderDate(isoTime(placed.from))}: ${plural(count, 'order')}, ${formatPaise(paise)}`,
    rows,
    tasks: tasks.map(({ text }) => text),
    findings: findings.map(({ problem, todo }) => `${problem} ${todo}`),
  };
}

/** The day in India, such as '2026-01-05'. @param at in ms */
const dayAt = (at: number): string => indianMinute(at).slice(0, 'yyyy-mm-dd'.length);

/**
 * Queues an email to the owners about yesterday, once its hour has come. Only one of several processes queues it,
 * because the day is stored in the same transaction.
 */
export async function queueDailyEmail(services: Services): Promise<void> {
  const { db, clock, settings } = services;
  if (!settings.mail) return;
  const today = dayAt(clock() - settings.dailyEmailHour * HOUR);
  const tomorrow = dayAt(clock() + (24 - settings.dailyEmailHour) * HOUR);
  const last = await readMeta(db, LAST_QUEUED_ON);
  // A later day than tomorrow was stored by a wrong clock.
  if (last !== undefined && last >= today && last <= tomorrow) return;
  const yesterday = dayAt(startOfDay(today) - HOUR);
  const facts = await factsOf(services, yesterday);
  await db.write(async (transaction) => {
    if (await advanceMeta(transaction, LAST_QUEUED_ON, today, tomorrow))
      await queueEmailForOwners(transaction, services, daily, yesterday, facts);
  });
}
