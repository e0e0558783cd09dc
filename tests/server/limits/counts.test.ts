import { describe, expect, it, vi } from 'vitest';
import type { Database } from '#server/db/database.ts';
import { StorageError } from '#server/db/errors.ts';
import { callerAt } from '#server/http/caller.ts';
import { dropEndedWindows, openCounts } from '#server/limits/counts.ts';
import { COUNTS, type Count } from '#server/limits/table.ts';
import { MINUTE } from '#server/process/clock.ts';
import { standStill, testApi } from '#tests/server/support/api.ts';
import { openEmptyDatabase } from '#tests/server/support/databases.ts';
import { countRows } from '#tests/server/support/rows.ts';

const [HERE, MANY] = [callerAt('192.0.2.1'), 1_000_000];

/** Spends from a row with these shares, for an account. */
function limiterOf(db: Database, shares: Partial<Count> = { account: 2 }) {
  const row = { every: MINUTE, line: MANY, ...shares };
  const spend = openCounts(db, 1, { ...COUNTS, order: row, payment: row });
  return <T>(
    account: string,
    attempt: () => T | Promise<T>,
    isCounted: () => boolean = always,
    { name = 'order' as const, caller = HERE }: { name?: 'order' | 'payment'; caller?: typeof HERE } = {},
  ) => spend([name], { ...caller, account }, attempt, isCounted);
}

type Limiter = ReturnType<typeof limiterOf>;

/** A share of more than ten attempts has no sliding window. */
const FIXED = { account: 11 };

const openOne = async (shares?: Partial<Count>) => limiterOf(await openEmptyDatabase(), shares);

const taken = (limiter: Limiter, account = 'a') => limiter(account, () => account);

/** Makes this many attempts. Returns for each whether it has to wait. */
async function refusals(limiter: Limiter, attempts: number): Promise<boolean[]> {
  const found: boolean[] = [];
  while (found.length < attempts)
    found.push(
      await taken(limiter).then(
        () => false,
        () => true,
      ),
    );
  return found;
}

const never = () => false;
const always = () => true;

const FULL = new StorageError('53100', { cause: 'full' });

describe('a rate limit', () => {
  it('counts each payer and each row of the table separately', async () => {
    const limiter = await openOne();
    expect(await refusals(limiter, 3)).toEqual([false, false, true]);
    expect(await taken(limiter, 'b')).toBe('b');
    expect(await limiter('a', () => 'paid', always, { name: 'payment' })).toBe('paid');
  });

  const waitOf = (seconds: number) => ({ status: 429, headers: { 'Retry-After': `${seconds}` } });

  it('returns the wait in whole seconds, and ends that long after the first attempt', async () => {
    const { pass } = standStill();
    const limiter = await openOne(FIXED);
    await taken(limiter);
    pass(1_500);
    await refusals(limiter, 10);
    await expect(taken(limiter)).rejects.toMatchObject(waitOf(59));
    pass(MINUTE - 1_500);
    expect(await refusals(limiter, 12)).toEqual([...Array(11).fill(false), true]);
  });

  it('that slides frees each attempt separately', async () => {
    const { pass } = standStill();
    const limiter = await openOne();
    await taken(limiter);
    pass(MINUTE / 2);
    await taken(limiter);
    await expect(taken(limiter)).rejects.toMatchObject(waitOf(30));
    pass(MINUTE / 2);
    expect(await refusals(limiter, 2)).toEqual([false, true]);
    await expect(taken(limiter)).rejects.toMatchObject(waitOf(30));
  });

  it('is shared by machines whose clocks differ by a second, and does not block when a clock goes back', async () => {
    const { pass } = standStill();
    const limiter = await openOne(FIXED);
    pass(1_000);
    await taken(limiter);
    pass(-1_000);
    await refusals(limiter, 10);
    pass(1_000);
    await expect(taken(limiter)).rejects.toMatchObject(waitOf(60));
    pass(-24 * 60 * MINUTE);
    expect(await refusals(limiter, 12)).toEqual([...Array(11).fill(false), true]);
  });

  it('counts neither released nor refused attempts, however many come at once', async () => {
    const limiter = await openOne();
    const allCame = Promise.withResolvers<void>();
    const attempts = Array.from({ length: 10 }, () => limiter('a', () => allCame.promise, never));
    let refused = 0;
    const countRefusal = () => {
      refused += 1;
      if (refused === 8) allCame.resolve();
    };
    await Promise.all(attempts.map((attempt) => attempt.catch(countRefusal)));
    expect(refused).toBe(8);
    expect(await refusals(limiter, 3)).toEqual([false, false, true]);
  });

  it('releases nothing from a later window', async () => {
    const { pass } = standStill();
    const limiter = await openOne();
    const later = async () => {
      pass(MINUTE);
      return refusals(limiter, 1);
    };
    await limiter('a', later, never);
    expect(await refusals(limiter, 2)).toEqual([false, true]);
  });

  it('that cannot be counted is a 503 with Retry-After, and the action is not done', async () => {
    const { ask, db } = await testApi();
    vi.spyOn(db.rateLimits, 'row').mockRejectedValue(FULL);
    const json = { email: 'asha@example.com', password: 'secret', firstName: 'Asha', lastName: 'Rao' };
    for (const answer of [
      await ask('/users/register', { json }),
      await ask('/users/authorize', { json }),
      await ask(`/orders/${crypto.randomUUID()}?contactInfo=x`),
    ])
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await countRows(db, 'customers')).toBe(0);
  });
});

it('an attempt that a later share refuses is released from the earlier ones, and leaves no row', async () => {
  const db = await openEmptyDatabase();
  const limiter = limiterOf(db, { account: 1, line: 3 });
  expect(await refusals(limiter, 5)).toEqual([false, true, true, true, true]);
  expect(await countRows(db.rateLimits, 'rate_limits')).toBe(3);
  expect(await taken(limiter, 'b')).toBe('b');
});

it('a burst of a line beyond its share does not block other lines of its network', async () => {
  const limiter = await openOne({ line: 1 });
  const from = (last: number) => ({ caller: callerAt(`192.0.2.${last}`) });
  const burst = Array.from({ length: 20 }, () => limiter('a', () => 'done', always, from(1)));
  const others = [2, 3, 4].map((last) => limiter('a', () => 'done', always, from(last)));
  const found = await Promise.allSettled([...burst, ...others]);
  expect(found.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
});

it('serves 2,000 new shoppers behind one address in an hour, of whom some mistype, despite an attacker with ten accounts', async () => {
  standStill();
  const spend = openCounts(await openEmptyDatabase(), 1);
  const done = () => 'done';
  const shop = async (account: string, most = 1) => {
    const payers = { ...HERE, account, target: account };
    await spend(['registration', 'signIn'], payers, done);
    for (const name of ['order', 'payment'] as const)
      for (let count = 0; count < Math.min(most, COUNTS[name].account); count += 1)
        await spend([name], payers, done);
    await spend(['orders', 'tracked'], payers, done);
  };
  for (let account = 0; account < 10; account += 1) await shop(`attacker ${account}`, MANY);
  for (let account = 0; account < 2_000; account += 1) {
    await shop(`shopper ${account}`);
    const mistyped = { ...HERE, target: `shopper ${account}` };
    if (account % 10 === 0) await spend(['password', 'passwordDay', 'tracking'], mistyped, done);
  }
});

it('an attempt that is not counted leaves no row', async () => {
  const db = await openEmptyDatabase();
  const limiter = limiterOf(db, { account: 20 });
  for (let count = 0; count < 20; count += 1) await limiter(`a${count}`, () => 'done', never);
  expect(await countRows(db.rateLimits, 'rate_limits')).toBe(0);
});

it('a successful attempt succeeds even if it cannot be uncounted', async () => {
  const db = await openEmptyDatabase();
  vi.spyOn(db.rateLimits, 'run').mockRejectedValue(FULL);
  expect(await limiterOf(db)('a', () => 'done', never)).toBe('done');
});

it('an account also counts towards its line, a line towards its network, and a provider has no limit', async () => {
  const limiter = await openOne({ account: 1, line: 2 });
  let accounts = 0;
  const allowedOf = async (addresses: readonly string[]) => {
    const found = await Promise.allSettled(
      addresses.map((address) => {
        accounts += 1;
        return limiter(`account ${accounts}`, () => 'done', always, { caller: callerAt(address) });
      }),
    );
    return found.filter(({ status }) => status === 'fulfilled').length;
  };
  const numbers = Array.from({ length: 40 }, (_, index) => index);
  const twice = (addressOf: (number: number) => string) => numbers.map((number) => addressOf(number >> 1));
  expect(await allowedOf(numbers.map(() => '198.51.100.1'))).toBe(2);
  // The share of four lines, and the reserve of each of the 20.
  expect(await allowedOf(twice((line) => `192.0.2.${line}`))).toBe(8 + 20);
  expect(await allowedOf(numbers.map((number) => `192.0.${number + 3}.1`))).toBe(40);
  // One line has 256 /64 networks, with countless addresses.
  expect(await allowedOf(numbers.map((number) => `2001:db8:1:${number.toString(16)}::1`))).toBe(2);
  expect(await allowedOf(twice((line) => `2001:db8:2:${line.toString(16)}00::1`))).toBe(8 + 20);
  expect(await allowedOf(numbers.map((number) => `2001:db8:a${number}::1`))).toBe(40);
});

it('a flood of invented keys evicts no count, and ended windows are deleted', async () => {
  const { pass } = standStill();
  const db = await openEmptyDatabase();
  const limiter = limiterOf(db);
  const sizes = () => countRows(db.rateLimits, 'rate_limits');
  await refusals(limiter, 2);
  for (let count = 0; count < 2_000; count += 1) await taken(limiter, `nobody${count}@example.com`);
  expect(await refusals(limiter, 1)).toEqual([true]);
  pass(MINUTE - 1);
  await dropEndedWindows({ db });
  expect(await sizes()).toBe(2_004);
  pass(1);
  await dropEndedWindows({ db });
  expect(await sizes()).toBe(0);
});
