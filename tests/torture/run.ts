import { openDatabase } from '#server/db/open-database.ts';
import { reconcile, type Verdict } from './reconcile.ts';
import { startShop } from './shop-processes.ts';
import { createShoppers } from './shoppers.ts';
import type { Storage } from './storage.ts';
import { planStrikes, strike } from './strikes.ts';

export interface Options {
  readonly processes: number;
  readonly strikes: number;
  readonly shoppers: number;
  /** The same seed makes the same strikes. */
  readonly seed: number;
  /** Called after each strike with the number of acknowledged orders. */
  readonly onStrike?: (strikes: number, acknowledged: number) => void;
}

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
    const work = shoppers.shop();
    await shop.untilAllSell();
    const strikes = planStrikes({ ...options, hasServer: storage.server !== undefined });
    const recoveries: number[] = [];
    for (const [index, planned] of strikes.entries()) {
      const recovery = await strike(shop, planned);
      if (recovery !== undefined) recoveries.push(recovery);
      onStrike?.(index + 1, shoppers.acknowledged().length);
    }
    shoppers.stop();
    await work;

    const { attempts, stats } = shoppers;
    const view = { attempts, listed: await shoppers.listed() };
    const db = await openDatabase(storage.address);
    const { counted, wrong } = await reconcile(db, view).finally(() => db.close());
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
