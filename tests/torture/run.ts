import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { openDatabase } from '#server/db/open-database.ts';
import { runSql } from '#tests/server/support/rows.ts';
import { PIECES, reconcile, type Verdict } from './reconcile.ts';
import { startShop } from './shop-processes.ts';
import { createShoppers } from './shoppers.ts';
import type { Storage } from './storage.ts';

export interface Options {
  readonly processes: number;
  readonly strikes: number;
  readonly shoppers: number;
  /** The same seed makes the same strikes. */
  readonly seed: number;
  /** Called after each strike with the number of acknowledged orders. */
  readonly onStrike?: (strikes: number, acknowledged: number) => void;
}

/** On average, every second strike hits a process alone. */
const KINDS = ['a process', 'a process', 'the database', 'the database, and a process meanwhile'] as const;

/** In ms. Short, so that every second strike hits a process that has just started. */
const MAX_PAUSE = 400;
const MAX_OUTAGE = 500;

/** The same options always give the same strikes. */
const planStrikes = ({ strikes, seed, processes }: Options, kinds: readonly (typeof KINDS)[number][]) =>
  fc.sample(
    fc.record({
      kind: fc.constantFrom(...kinds),
      /** The index of the process. */
      slot: fc.nat(processes - 1),
      /** The time since the end of the previous strike, in ms. */
      after: fc.nat(MAX_PAUSE),
      /** How long the database is down, in ms. */
      outage: fc.nat(MAX_OUTAGE),
    }),
    { seed, numRuns: strikes },
  );

/** How long it took after the database's return until every process sold again. */
export const SLOWEST_RECOVERY = 'slowest recovery, ms';

export interface Outcome extends Verdict {
  /** The text of each wrong answer. */
  readonly complaints: readonly string[];
}

/**
 * Kills processes of the API, and the database, at random moments under load. Shoppers retry with idempotency keys as
 * the storefront does. Then checks that no acknowledged order is lost.
 */
export async function torture(storage: Storage, options: Options): Promise<Outcome> {
  const { processes, onStrike } = options;
  const shop = await startShop(storage, processes);
  try {
    const shoppers = await createShoppers(options.shoppers, shop);
    const counting = await openDatabase(storage.address);
    await runSql(
      counting,
      `INSERT INTO stock (product_id, size, pieces) SELECT id, '', ${PIECES} FROM products`,
    );
    await counting.close();
    const work = shoppers.shop();
    await shop.untilAllSell();
    const { server } = storage;
    const strikes = planStrikes(options, server ? KINDS : ['a process']);
    const recoveries: number[] = [];
    for (const [index, { kind, slot, after, outage }] of strikes.entries()) {
      await pause(after);
      if (server && kind !== 'a process') {
        await server.crash();
        const restarting = kind === 'the database' ? undefined : shop.restart(slot);
        await pause(outage);
        await server.start();
        const returned = performance.now();
        await restarting;
        await shop.untilAllSell();
        recoveries.push(performance.now() - returned);
      } else {
        await shop.restart(slot);
        // The others hit a process that starts, or has just started.
        if (index % 2 === 0) await shop.untilAllSell();
      }
      onStrike?.(index + 1, shoppers.acknowledged().length);
    }
    shoppers.stop();
    await work;

    const { attempts, stats } = shoppers;
    const listed = await shoppers.listed();
    const db = await openDatabase(storage.address);
    const { counted, wrong } = await reconcile(db, attempts, listed).finally(() => db.close());
    const { lost, refused, complaints } = stats;
    const kinds = Map.groupBy(strikes, ({ kind }) => kind);
    return {
      counted: {
        ...Object.fromEntries([...kinds].map(([kind, struck]) => [`strikes at ${kind}`, struck.length])),
        ...counted,
        'answers lost and sent again': lost,
        'answers to try again (503)': refused,
        ...(recoveries.length > 0 ? { [SLOWEST_RECOVERY]: Math.round(Math.max(...recoveries)) } : {}),
      },
      wrong: {
        ...wrong,
        'wrong answers': complaints.length,
        "errors in the database's files": await storage.countErrors(),
      },
      complaints,
    };
  } finally {
    await shop.close();
  }
}
