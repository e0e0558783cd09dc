import { setTimeout as pause } from 'node:timers/promises';
import * as v from 'valibot';
import { openDatabase } from '#scripts/api/db/open-database.ts';
import { createMailServer, type Mischief } from '#tests/support/mail-server.ts';
import { ADDRESS } from '#tests/support/shop-client.ts';
import { emailOf, productsForSale, register, signIn } from '#tests/torture/accounts.ts';
import { createAsk } from '#tests/torture/ask.ts';
import type { Outcome } from '#tests/torture/run.ts';
import { openShop } from '#tests/torture/shop.ts';
import type { Storage } from '#tests/torture/storage.ts';

export interface LettersOptions {
  readonly processes: number;
  readonly shoppers: number;
  readonly orders: number;
  readonly kills: number;
  readonly onKill?: (kills: number, orders: number) => void;
}

const OrderSchema = v.object({ id: v.string() });
const RowSchema = v.object({ id: v.string(), about: v.string(), state: v.string(), createdAt: v.number() });
const CountSchema = v.object({ count: v.number() });

/** In ms: between two orders of a shopper, how long the mail server is down, and between two of its deaths and two kills. */
const BETWEEN_ORDERS = 500;
const DOWN = 20_000;
const BETWEEN_DEATHS = 5_000;
const BETWEEN_KILLS = 500;
/** How long the outbox may take to become empty at the end, in ms. */
const PATIENCE = 180_000;
/** The bar from an order to its letter at the mail server, in ms. */
const BAR = 5_000;

const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0;

/**
 * Shoppers order while the mail server is down for a part, refuses one of them and dies after DATA, and processes of the
 * shop are killed. Then it looks for the letter of every acknowledged order.
 */
export async function tortureLetters(storage: Storage, options: LettersOptions): Promise<Outcome> {
  const { processes, shoppers, onKill } = options;
  const mail = createMailServer();
  await mail.open();
  const settings = { SMTP_URL: mail.address(), MAIL_FROM: 'orders@shop.example' };
  const shop = await openShop(storage, processes, settings);
  const { ask, asked } = createAsk(shop.next);
  const refused = emailOf(shoppers - 1);
  const placed: string[] = [];
  /** Times at which nothing can be expected: the mail server was away, or a process was killed. */
  const troubles: { from: number; to: number }[] = [];
  const kills: number[] = [];
  let running = true;
  let mayDie = false;
  let deaths = 0;

  mail.misbehave((recipient): Mischief => {
    if (recipient === refused) return { refuse: 550 };
    if (!mayDie) return undefined;
    mayDie = false;
    return 'dies after DATA';
  });

  const trouble = async (work: () => Promise<void>): Promise<void> => {
    const from = Date.now();
    await work();
    // Claims of a killed process end, and pauses of the senders, too.
    troubles.push({ from, to: Date.now() + 31_000 });
  };

  async function order(token: string, product: string): Promise<void> {
    while (running) {
      const answer = await ask(OrderSchema, {
        path: 'orders',
        body: { products: { [product]: 1 }, shippingAddress: ADDRESS },
        headers: { Authorization: `Bearer ${token}`, 'Idempotency-Key': crypto.randomUUID() },
        status: 201,
      });
      if (answer) placed.push(answer.content.id);
      await pause(BETWEEN_ORDERS);
    }
  }

  async function strikeMail(): Promise<void> {
    await pause(BETWEEN_DEATHS);
    await trouble(async () => {
      await mail.close();
      await pause(DOWN);
      await mail.open();
    });
    while (running) {
      await pause(BETWEEN_DEATHS);
      mayDie = true;
      while (running && mayDie) await pause(20);
      if (!running) return;
      deaths += 1;
      await trouble(async () => {
        await pause(200);
        await mail.close();
        await mail.open();
      });
    }
  }

  try {
    const [product = ''] = await productsForSale(ask);
    const tokens: string[] = [];
    for (let shopper = 0; shopper < shoppers; shopper += 1) {
      await register(ask, emailOf(shopper));
      tokens.push(await signIn(ask, emailOf(shopper)));
    }
    // Without trouble first, for the time from an order to its letter.
    const work = Promise.all(tokens.map((token) => order(token, product)));
    await pause(30_000);
    const striking = strikeMail();
    for (let kill = 1; kill <= options.kills; kill += 1) {
      await trouble(() => {
        kills.push(Date.now());
        return shop.restart(kill % processes);
      });
      onKill?.(kill, placed.length);
      await pause(BETWEEN_KILLS);
    }
    while (placed.length < options.orders) await pause(100);
    running = false;
    await Promise.all([work, striking]);
    await mail.close();
    await mail.open();

    const db = await openDatabase(storage.address);
    const until = Date.now() + PATIENCE;
    const waiting = () =>
      db.get(CountSchema, "SELECT count(*) AS count FROM letters WHERE state = 'waiting'");
    while (((await waiting())?.count ?? 0) > 0 && Date.now() < until) await pause(500);
    const rows = await db
      .all(RowSchema, 'SELECT id, about, state, created_at AS "createdAt" FROM letters')
      .finally(() => db.close());
    const ofOrder = Map.groupBy(rows, ({ about }) => about);
    const received = Map.groupBy(mail.received, ({ messageId = '' }) => messageId.slice(1, 37));
    const firstAt = (id: string): number | undefined => received.get(id)?.[0]?.at;
    const isLost = (id: string): boolean => {
      const [row] = ofOrder.get(id) ?? [];
      return !row || (row.state !== 'failed' && firstAt(row.id) === undefined);
    };
    const twice = [...received.values()].filter(({ length }) => length > 1);
    // What came twice must have had a death of either side between its two arrivals.
    const unexplained = twice.filter((letters) => {
      const [from = 0, to = 0] = letters.map(({ at }) => at);
      return !troubles.some((each) => each.from - 1_000 <= to && from <= each.to);
    });
    const times = rows.flatMap(({ id, createdAt }) => {
      const at = firstAt(id);
      const isQuiet = at !== undefined && !troubles.some(({ from, to }) => from <= at && createdAt <= to);
      return isQuiet ? [at - createdAt] : [];
    });
    const p95 = percentile(times, 0.95);
    return {
      counted: {
        'orders acknowledged': placed.length,
        'kills of a process': kills.length,
        'deaths of the mail server after DATA': deaths,
        'letters taken': mail.received.length,
        'letters refused for good, and shown': rows.filter(({ state }) => state === 'failed').length,
        'letters taken twice, under one Message-ID': twice.length,
        'letters measured without trouble': times.length,
        'order to mail server, p50, ms': percentile(times, 0.5),
        'order to mail server, p95, ms': p95,
      },
      wrong: {
        'orders without their letter': placed.filter(isLost).length,
        'orders with two letters': placed.filter((id) => (ofOrder.get(id)?.length ?? 0) > 1).length,
        'letters taken twice without a death': unexplained.length,
        'letters that still wait': rows.filter(({ state }) => state === 'waiting').length,
        'p95 of more than 5 s': p95 > BAR ? 1 : 0,
        'wrong answers': asked.complaints.length,
      },
      complaints: asked.complaints,
    };
  } finally {
    running = false;
    await shop.close();
    await mail.close();
  }
}
