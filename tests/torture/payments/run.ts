import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '#server/db/database.ts';
import { openDatabase } from '#server/db/open-database.ts';
import { countRows, runSql } from '#tests/server/support/rows.ts';
import { FAKES } from '#tests/support/providers/pages.ts';
import type { Options, Outcome } from '#tests/torture/run.ts';
import { startShop } from '#tests/torture/shop-processes.ts';
import type { Storage } from '#tests/torture/storage.ts';
import { createPayers } from './payers.ts';
import { planPayments } from './plan.ts';
import { reconcilePayments } from './reconcile.ts';

interface PaymentOptions extends Options {
  readonly provider: string;
  readonly payments: number;
}

/** How far due polls are moved into the past, in ms, as if this time had passed. */
const DAYS = 3 * 24 * 60 * 60_000;

/** How often this time passes: open payments are polled each time, and pending refunds end. */
const ROUNDS = 3;

/** Lets days pass, and waits until everything due was polled. */
async function passDays(db: Database): Promise<void> {
  const now = Date.now();
  await runSql(db, 'UPDATE payment_attempts SET next_poll_at = next_poll_at - ?', DAYS);
  while ((await countRows(db, 'payment_attempts WHERE next_poll_at <= ?', now)) > 0) await pause(200);
  // The last polls are in progress.
  await pause(2_000);
}

/** Kills the API while shoppers pay and webhooks are repeated, late or lost. Then compares both records. */
export async function torturePayments(storage: Storage, options: PaymentOptions): Promise<Outcome> {
  const { payments, strikes: kills, processes, seed } = options;
  const start = FAKES[options.provider];
  if (!start) throw new Error(`There is no fake of '${options.provider}'.`);
  const provider = await start({});
  const settings = { ...provider.environment, PAYMENT_PROVIDERS: provider.name, AUTO_REFUND: 'on' };
  const shop = await startShop(storage, processes, settings);
  const db = await openDatabase(storage.address);
  try {
    const payers = await createPayers(options.shoppers, shop, provider, db);
    let begun = 0;
    let killed = 0;
    // Payments and kills are interleaved: neither runs ahead.
    const work = payers.pay(planPayments(payments, seed), async (index) => {
      begun = index;
      while (killed < kills && index > ((killed + 1) * payments) / kills) await pause(10);
    });
    for (; killed < kills; killed += 1) {
      while (begun < (killed * payments) / kills) await pause(10);
      await shop.restart(killed % processes);
    }
    await work;
    for (let round = 0; round < ROUNDS; round += 1) await passDays(db);
    const { counted, wrong } = await reconcilePayments(db, provider);
    const { lost, complaints } = payers.stats;
    return {
      counted: { kills, ...counted, 'answers lost and sent again': lost },
      wrong: {
        ...wrong,
        'wrong answers': complaints.length,
        "errors in the database's files": await storage.countErrors(),
      },
      complaints,
    };
  } finally {
    await shop.close();
    await db.close();
    await provider.close();
  }
}
