import { sql } from 'kysely';
import * as v from 'valibot';
import { formatMoment } from '#domain/date.ts';
import { NEW_ORDER } from '#domain/order-status.ts';
import { json } from '#server/db/columns.ts';
import type { Database, Reader, Transaction } from '#server/db/database.ts';
import { NAMED, setMeta } from '#server/db/meta.ts';
import { q } from '#server/db/query.ts';
import { type Clock, DAY, HOUR, isoTime, MINUTE } from '#server/process/clock.ts';
import type { Log } from '#server/process/log.ts';

/*
 * A server's clock may be wrong for a while: an empty battery, a typing mistake, a bad time server. The database stores
 * the last time seen, so that a jump is noticed even across a restart. Which time is right cannot be known.
 */

/** The clocks of several machines differ by less, in ms. */
const TOLERANCE = 5 * MINUTE;

/** Without a running process no time is stored, so a longer gap counts as a jump too. In ms. */
const GAP = 15 * MINUTE;

/** In ms since 1970. */
const SeenSchema = v.object({
  seen: v.number(),
  /** The last jump. */
  jump: v.optional(v.object({ from: v.number(), to: v.number(), isRepaired: v.boolean() })),
});

type Seen = v.InferOutput<typeof SeenSchema>;

type Jump = NonNullable<Seen['jump']>;

const ROW = 'clock';

const readSeen = async (db: Reader): Promise<Seen | undefined> =>
  (await db.row(NAMED({ name: ROW }), { value: json(SeenSchema) }))?.value;

/** Resets open orders and payments from the future, which would never expire. Others keep their times. */
async function repairOpen(transaction: Transaction, now: number): Promise<void> {
  const isFuture = sql<boolean>`created_at > ${now + HOUR}`;
  const set = { createdAt: now };
  await transaction.run(q.updateTable('orders').set(set).where('status', '=', NEW_ORDER).where(isFuture));
  await transaction.run(
    q.updateTable('paymentAttempts').set(set).where('state', '=', 'open').where(isFuture),
  );
}

interface Watched {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
}

/** Stores the current time. Returns the last jump of the clock. */
export async function watchClock({ db, clock, log }: Watched): Promise<Jump | undefined> {
  const now = clock();
  return db.write(async (transaction) => {
    const before = await readSeen(transaction);
    let jump = before?.jump;
    if (before && (now < before.seen - TOLERANCE || now > before.seen + GAP)) {
      jump = { from: before.seen, to: now, isRepaired: now > before.seen };
      if (Math.abs(jump.to - jump.from) > DAY)
        log('warn', 'the clock jumped', { from: isoTime(jump.from), to: isoTime(jump.to) });
    } else if (jump?.isRepaired === false && now > jump.to + DAY) {
      // By then, somebody would have noticed a clock that was set back by mistake.
      await repairOpen(transaction, now);
      jump = { ...jump, isRepaired: true };
    }
    const seen = jump?.to === now ? now : Math.max(now, before?.seen ?? now);
    await setMeta(transaction, ROW, JSON.stringify({ seen, ...(jump && { jump }) }));
    return jump;
  });
}

/** When deletions by age resume: after as long as the jump forward, but at most a day. In ms since 1970. */
const heldUntil = ({ from, to }: Jump): number => to + Math.min(Math.max(0, to - from), DAY);

/** Whether data may be deleted by its age. */
export async function mayExpire(services: Watched): Promise<boolean> {
  const jump = await watchClock(services);
  return jump === undefined || services.clock() >= heldUntil(jump);
}

/** In ms. */
const REPORTED_FOR = 7 * DAY;

/**
 * Describes the last jump back, or a jump forward of more than a day while deletions are paused: a shorter one may be a
 * server that was off.
 */
export async function clockProblem(db: Reader, now: number): Promise<string | undefined> {
  const { jump } = (await readSeen(db)) ?? {};
  if (!jump || now < jump.to || (jump.to > jump.from && jump.to - jump.from <= DAY)) return undefined;
  const text = (at: number): string => formatMoment(isoTime(at));
  const times = `from ${text(jump.from)} to ${text(jump.to)}`;
  if (jump.to < jump.from)
    return now < jump.to + REPORTED_FOR ? `The clock of the server went back ${times}.` : undefined;
  if (now >= heldUntil(jump)) return undefined;
  return `The server was off, or its clock went forward, ${times}. Nothing is deleted by its age before ${text(heldUntil(jump))}.`;
}
