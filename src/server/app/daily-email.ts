import * as v from 'valibot';
import { formatOrderDate, indianMinute } from '#domain/date.ts';
import { formatPaise } from '#domain/money.ts';
import { STATUSES } from '#domain/order-status.ts';
import { ADMIN } from '#server/admin/paths.ts';
import type { Reader } from '#server/db/database.ts';
import { advanceMeta, readMeta } from '#server/db/meta.ts';
import { adminFindings } from '#server/doctor/table.ts';
import { type Block, defineEmail, type EmailText, type EmailValues } from '#server/email/email.ts';
import { endOfDay, orderTotals, startOfDay } from '#server/orders/admin/listed-orders.ts';
import { HOUR, isoTime } from '#server/process/clock.ts';
import type { Services } from '#server/services/services.ts';
import { findOwner, OWNER_DETAILS, queueEmailForOwners } from '#server/staff/stored-staff.ts';
import { openTasks } from './tasks.ts';

/** The row of `meta` with the last day on which this email was queued. */
const LAST_QUEUED_ON = 'daily_email_on';

const TotalsSchema = v.object({ count: v.number(), paise: v.number() });

const FactsSchema = v.object({
  /** The day of the orders, such as '2026-01-05'. */
  day: v.string(),
  placed: TotalsSchema,
  /** Those of `placed` that were cancelled since. */
  cancelled: TotalsSchema,
  /** The others of `placed`, by what has become of their money. */
  paid: TotalsSchema,
  collect: TotalsSchema,
  unpaid: TotalsSchema,
  /** All cash that the couriers have still to bring, of any day. */
  cash: TotalsSchema,
  tasks: v.array(v.string()),
  findings: v.array(v.string()),
});

type Facts = v.InferOutput<typeof FactsSchema>;

const totalText = ({ count, paise }: Facts['placed']): string => `${count}, ${formatPaise(paise)}`;

const listBlocks = (title: string, lines: readonly string[]): Block[] =>
  lines.length === 0 ? [] : [{ text: title }, ...lines.map((line) => ({ text: `• ${line}` }))];

function dailyText(facts: Facts, { api }: EmailValues): EmailText {
  const { day, placed, cancelled, tasks, findings } = facts;
  const date = formatOrderDate(isoTime(startOfDay(day)));
  const rows: [string, string][] = [['Orders', totalText(placed)]];
  const counted = [
    ['Of these paid', facts.paid],
    ['Of these to collect on delivery', facts.collect],
    ['Of these unpaid', facts.unpaid],
    ['Of these cancelled', cancelled],
    ['Cash to collect in all', facts.cash],
  ] as const;
  for (const [label, totals] of counted) if (totals.count > 0) rows.push([label, totalText(totals)]);
  return {
    subject: `${date}: ${placed.count} ${placed.count === 1 ? 'order' : 'orders'}, ${formatPaise(placed.paise)}`,
    blocks: [
      { rows },
      ...listBlocks('Tasks:', tasks),
      ...(tasks.length === 0 ? [{ text: 'There are no open tasks.' }] : []),
      ...listBlocks('The checks of the shop have found:', findings),
      { button: 'Open the admin', address: `${api}${ADMIN}` },
    ],
  };
}

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
    day: '2026-01-05',
    placed: { count: 12, paise: 2_277_000 },
    cancelled: { count: 1, paise: 189_750 },
    paid: { count: 8, paise: 1_518_000 },
    collect: { count: 2, paise: 379_500 },
    unpaid: { count: 1, paise: 189_750 },
    cash: { count: 5, paise: 948_750 },
    tasks: ['1 payment needs attention', '3 orders to pack'],
    findings: ['The last backup is 3 days old. Run npm run backup -- FILE every night.'],
  },
  write: (_language, facts, values) => dailyText(facts, values),
});

export const DAILY_EMAILS = { daily };

async function factsOf(services: Services, day: string): Promise<Facts> {
  const ofDay = { from: startOfDay(day), until: endOfDay(day) };
  const [placed, cancelled, paid, collect, unpaid, cash, tasks, findings] = await Promise.all([
    orderTotals(services.db, ofDay),
    orderTotals(services.db, { ...ofDay, status: STATUSES.cancelled.code }),
    orderTotals(services.db, { ...ofDay, money: 'paid' }),
    orderTotals(services.db, { ...ofDay, money: 'collect' }),
    orderTotals(services.db, { ...ofDay, money: 'unpaid' }),
    orderTotals(services.db, { money: 'collect' }),
    openTasks(services, () => true),
    adminFindings(services),
  ]);
  return {
    day,
    placed,
    cancelled,
    paid,
    collect,
    unpaid,
    cash,
    tasks: tasks.map(({ text }) => text),
    findings: findings.map(({ problem, todo }) => `${problem} ${todo}`),
  };
}

/** The day in India, such as '2026-01-05'. @param at in ms */
const dayAt = (at: number): string => indianMinute(at).slice(0, 'yyyy-mm-dd'.length);

const dayBefore = (day: string): string => dayAt(startOfDay(day) - HOUR);

/** The most days that are reported together after no process ran at the hour of the email. */
const MAX_DAYS = 7;

/** The days that are not reported yet, the oldest first. @param reported the last day that was */
function unreportedDays(upTo: string, reported: string | undefined): string[] {
  const days = [upTo];
  for (
    let day = dayBefore(upTo);
    reported !== undefined && day > reported && days.length < MAX_DAYS;
    day = dayBefore(day)
  )
    days.unshift(day);
  return days;
}

/**
 * Queues an email to the owners for each day that is not reported yet, once the hour of the email has come. Only one of
 * several processes does, because the day is stored in the same transaction.
 */
export async function queueDailyEmail(services: Services): Promise<void> {
  const { db, clock, settings } = services;
  if (!settings.mail) return;
  const today = dayAt(clock() - settings.dailyEmailHour * HOUR);
  const tomorrow = dayAt(clock() + (24 - settings.dailyEmailHour) * HOUR);
  const stored = await readMeta(db, LAST_QUEUED_ON);
  // A later day is from a clock that was wrong.
  const last = stored !== undefined && stored <= tomorrow ? stored : undefined;
  if (last !== undefined && last >= today) return;
  const days = unreportedDays(dayBefore(today), last === undefined ? undefined : dayBefore(last));
  const emails = await Promise.all(days.map((day) => factsOf(services, day)));
  await db.write(async (transaction) => {
    if (!(await advanceMeta(transaction, LAST_QUEUED_ON, today, tomorrow))) return;
    for (const facts of emails)
      await queueEmailForOwners(transaction, services, DAILY_EMAILS.daily, facts.day, facts);
  });
}
