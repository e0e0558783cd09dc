import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import type { Database } from '#scripts/api/db/database.ts';
import { openDatabase } from '#scripts/api/db/open-database.ts';
import type { FakeProvider, Webhook } from '#tests/support/providers/fake-provider.ts';
import { FAKES } from '#tests/support/providers/pages.ts';
import type { Outcome } from '#tests/torture/run.ts';
import { openShop } from '#tests/torture/shop.ts';
import type { Storage } from '#tests/torture/storage.ts';
import { forge } from './forged.ts';
import { judge } from './judge.ts';
import { createOffice } from './office.ts';
import { planPayments } from './plan.ts';
import { createPost } from './provider-post.ts';
import { createPayers } from './shoppers.ts';

export interface PaymentOptions {
  readonly provider: string;
  readonly payments: number;
  readonly forged: number;
  readonly processes: number;
  readonly kills: number;
  readonly shoppers: number;
  /** The same seed makes the same plans. */
  readonly seed: number;
  readonly onKill?: (kills: number, paid: number) => void;
}

const CountSchema = v.object({ count: v.number() });

/** How far the questions that are to be asked move into the past, as if so much time had passed, in ms. */
const DAYS = 3 * 24 * 60 * 60_000;

/** How often the time passes: open payments are asked for each time, and refunds that hang come to an end. */
const ROUNDS = 3;

/** Lets days pass for what is to be asked, and waits until it has been asked. */
async function passDays(db: Database): Promise<void> {
  const now = Date.now();
  for (const table of ['payments', 'refunds'])
    await db.write((transaction) =>
      transaction.run(
        `UPDATE ${table} SET next_ask_at = next_ask_at - ? WHERE next_ask_at IS NOT NULL`,
        DAYS,
      ),
    );
  const due = async (table: string) =>
    (await db.get(CountSchema, `SELECT count(*) AS count FROM ${table} WHERE next_ask_at <= ?`, now))
      ?.count ?? 0;
  while ((await due('payments')) + (await due('refunds')) > 0) await pause(200);
  // The last questions are under way.
  await pause(2_000);
}

/** All that a webhook could change. */
const everything = async (db: Database): Promise<string> =>
  JSON.stringify([
    await db.all(v.unknown(), 'SELECT id, status FROM orders ORDER BY number'),
    await db.all(v.unknown(), 'SELECT reference, state, changed_at FROM payments ORDER BY reference'),
    await db.all(v.unknown(), 'SELECT key, state, paise FROM refunds ORDER BY key'),
  ]);

/**
 * Kills the processes of a shop while shoppers pay and the provider's webhooks come twice, late or never; then compares
 * what the provider has with what the shop knows, and sends what the provider never sent (115 to 117).
 */
export async function torturePayments(storage: Storage, options: PaymentOptions): Promise<Outcome> {
  const { payments, kills, seed, onKill } = options;
  const start = FAKES[options.provider];
  if (!start) throw new Error(`There is no fake of '${options.provider}'.`);
  const provider = await start({});
  const settings = { ...provider.environment, PAYMENT_PROVIDERS: provider.name, REFUND_BY_ITSELF: 'on' };
  const shop = await openShop(storage, options.processes, settings);
  const windows = [await openDatabase(storage.address), await openDatabase(storage.address)];
  const [db] = windows;
  if (!db) throw new Error('There is no database.');
  try {
    const post = createPost(provider.name, shop.next);
    const genuine: Webhook[] = [];
    const office = createOffice(windows);
    const recorded: FakeProvider = {
      ...provider,
      end: (...ending) => {
        const webhooks = provider.end(...ending);
        genuine.push(...webhooks);
        return webhooks;
      },
    };
    const payers = createPayers(options.shoppers, { shop, provider: recorded, post, office });
    await payers.signIn();

    let paid = 0;
    let killed = 0;
    let isOver = false;
    // Neither the payments nor the kills run ahead of the others.
    const work = payers
      .pay(planPayments(payments, seed), {
        until: async (index) => {
          while (killed < kills && index > ((killed + 1) * payments) / kills) await pause(10);
        },
        onPaid: () => {
          paid += 1;
        },
      })
      .finally(() => {
        isOver = true;
      });
    const restarts = Array.from({ length: options.processes }, () => Promise.resolve());
    for (; killed < kills; killed += 1) {
      while (!isOver && paid < (killed * payments) / kills) await pause(10);
      const slot = killed % options.processes;
      await restarts[slot];
      restarts[slot] = shop.restart(slot);
      onKill?.(killed + 1, paid);
    }
    await Promise.all([work, ...restarts]);
    await post.empty();
    for (let round = 0; round < ROUNDS; round += 1) await passDays(db);
    const { counted, wrong } = await judge(db, provider);

    // From here on nothing may change any more. Replays lead to questions, forgeries to nothing.
    const open = await payers.leaveOne();
    const before = await everything(db);
    const forged = forge(provider, genuine, open, options.forged, seed);
    let accepted = 0;
    for (const webhook of forged) {
      const status = await post.send(webhook);
      if (status === undefined || status < 400 || status >= 500) accepted += 1;
    }
    for (const webhook of genuine.slice(0, options.forged)) await post.send(webhook);
    await passDays(db);
    const after = await everything(db);
    return {
      counted: {
        kills,
        ...payers.counts,
        'webhooks sent': post.counts.sent,
        'webhooks lost with their process': post.counts.lost,
        ...counted,
        ...office.counts,
        'forged webhooks': forged.length,
        'webhooks replayed': Math.min(genuine.length, options.forged),
        'answers lost and sent again': payers.asked.lost,
      },
      wrong: {
        ...wrong,
        'forged webhooks not answered by 4xx': accepted,
        'changes by forged and replayed webhooks': Number(before !== after),
        'wrong answers': payers.asked.complaints.length,
        "faults in the database's files": await storage.countFaults(),
      },
      complaints: payers.asked.complaints,
    };
  } finally {
    await shop.close();
    await Promise.all(windows.map((window) => window.close()));
    await provider.close();
  }
}
