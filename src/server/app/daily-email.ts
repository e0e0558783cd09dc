import * as v from 'valibot';
import { formatDay, indianMinute, startOfDay } from '#domain/date.ts';
import { formatPaise } from '#domain/money.ts';
import { plural } from '#domain/text.ts';
import { hasEnded, staffStatusOf } from '#server/admin/order-status.ts';
import { ADMIN } from '#server/admin/paths.ts';
import type { Reader } from '#server/db/database.ts';
import { advanceMeta, readMeta } from '#server/db/meta.ts';
import type { MoneyStatus } from '#server/db/tables.ts';
import { alertText, findAlerts } from '#server/doctor/alerts.ts';
import { openingFindings } from '#server/doctor/checks.ts';
import { type Block, defineEmail } from '#server/email/email.ts';
import { queueEmail } from '#server/email/outbox.ts';
import {
  ofMoney,
  orderTotals,
  placedBetween,
  totalsByStanding,
} from '#server/fulfilment/admin/listed-orders.ts';
import { MONEY_LABELS } from '#server/ledger/labels.ts';
import { HOUR, SKEW } from '#server/process/clock.ts';
import type { Services } from '#server/services/services.ts';
import { findOwners, findStaffRecipient } from '#server/staff/stored-staff.ts';
import { openTasks } from './tasks.ts';

/** The row of `meta` with the last day on which this email was queued. */
const LAST_QUEUED_ON = 'daily_email_on';

/** Counted when the email is queued, for a day in India such as '2026-01-05'. */
const FactsSchema = v.object({
  subject: v.string(),
  rows: v.array(v.tuple([v.string(), v.string()])),
  tasks: v.array(v.string()),
  alerts: v.array(v.string()),
  findings: v.array(v.string()),
});

type Facts = v.InferOutput<typeof FactsSchema>;

const listBlocks = (title: string, lines: readonly string[]): Block[] =>
  lines.length === 0 ? [] : [{ text: title }, ...lines.map((line) => ({ text: `• ${line}` }))];

const daily = defineEmail({
  kind: 'daily',
  isToStaff: true,
  when: 'Each morning, with the orders of the day before, the open tasks, and what the checks have found: to each owner',
  details: FactsSchema,
  async find(db: Reader, ownerId: string, facts: Facts) {
    const recipient = await findStaffRecipient(db, ownerId);
    return recipient?.role === 'owner' ? { ...recipient, facts } : undefined;
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
    alerts: [
      'Since 2 January 2026 at 11:30 pm: The last backup is 3 days old. Run npm run backup -- FILE every night.',
    ],
    findings: [],
  },
  write: (_language, { subject, rows, tasks, alerts, findings }: Facts, { api }) => ({
    subject,
    blocks: [
      ...listBlocks('This does not work now:', alerts),
      { rows },
      ...(tasks.length === 0 ? [{ text: 'There are no open tasks.' }] : listBlocks('Tasks:', tasks)),
      ...listBlocks('Before you open:', findings),
      { button: 'Open the admin', address: `${api}${ADMIN}` },
    ],
  }),
});

export const DAILY_EMAILS = { daily };

const COLLECTED = 'to collect on delivery';

/** The line of the email that counts an order: by its status if it has ended, else by its payment. */
const lineOf = ({ status, money }: { readonly status: number; readonly money: MoneyStatus }): string => {
  if (hasEnded(status)) return staffStatusOf(status).label.toLowerCase();
  if (money === 'nothing') return 'with nothing to pay';
  return money === 'to_collect' ? COLLECTED : MONEY_LABELS[money].toLowerCase();
};

async function factsOf(services: Services, day: string): Promise<Facts> {
  const placed = placedBetween(day, day);
  const { count, paise } = await orderTotals(services.db, placed);
  const rows: Facts['rows'] = [['Orders', `${count}, ${formatPaise(paise)}`]];
  const lines = Map.groupBy(await totalsByStanding(services.db, placed), lineOf);
  for (const [line, totals] of lines) {
    const sum = (of: 'count' | 'paise' | 'toPayPaise') => totals.reduce((all, row) => all + row[of], 0);
    const amount = formatPaise(sum(line === COLLECTED ? 'toPayPaise' : 'paise'));
    rows.push([`Of these ${line}`, `${sum('count')}, ${amount}`]);
  }
  const cash = await orderTotals(services.db, ofMoney('to_collect'));
  if (cash.count > 0) rows.push(['Cash to collect in all', `${cash.count}, ${formatPaise(cash.toPayPaise)}`]);
  const tasks = await openTasks(services, () => true);
  const alerts = await findAlerts(services);
  const findings = await openingFindings(services);
  return {
    subject: `${formatDay(day)}: ${plural(count, 'order')}, ${formatPaise(paise)}`,
    rows,
    tasks: tasks.map(({ text }) => text),
    alerts: alerts.map(alertText),
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
  const latest = dayAt(clock() + SKEW - settings.dailyEmailHour * HOUR);
  const last = await readMeta(db, LAST_QUEUED_ON);
  // A later day was stored by a wrong clock.
  if (last !== undefined && last >= today && last <= latest) return;
  const yesterday = dayAt(startOfDay(today) - HOUR);
  const facts = await factsOf(services, yesterday);
  await db.write(async (transaction) => {
    if (!(await advanceMeta(transaction, LAST_QUEUED_ON, today, latest))) return;
    for (const { id } of await findOwners(transaction))
      await queueEmail(transaction, services, daily, id, facts);
  });
}
