import { describe, expect, it, vi } from 'vitest';
import type { Database } from '#server/db/database.ts';
import { StorageError } from '#server/db/errors.ts';
import { createAddressLimiter, createLimiter, createMemoryCounts, type Limiter } from '#server/db/limiter.ts';
import { MINUTE } from '#server/process/clock.ts';
import { openLimiters, withLimits } from '#server/services/limits.ts';
import { readSettings } from '#server/settings/settings.ts';
import { testApi } from '#tests/server/support/api.ts';
import { openEmptyDatabase } from '#tests/server/support/databases.ts';
import { countRows } from '#tests/server/support/rows.ts';
import { standStill } from '#tests/server/support/standing-date.ts';

const LIMIT = { most: 2, every: MINUTE };

const openOne = async () => (await openEmptyDatabase()).openLimiter('name', LIMIT);

/** Which of so many attempts have to wait. */
async function refusals(limiter: Limiter, attempts: number): Promise<boolean[]> {
  const found: boolean[] = [];
  while (found.length < attempts) found.push((await limiter.take('a')).waitSeconds > 0);
  return found;
}

const never = () => false;
const always = () => true;

describe('a rate limit', () => {
  it('counts each key by itself, and each limit', async () => {
    const db = await openEmptyDatabase();
    const [one, other] = [db.openLimiter('one', LIMIT), db.openLimiter('other', LIMIT)];
    const attempt = (limiter: typeof one, key: string) => withLimits([[limiter, key]], () => key, always);
    for (let count = 0; count < 2; count += 1) await attempt(one, 'a');
    await expect(attempt(one, 'a')).rejects.toMatchObject({ status: 429 });
    expect(await attempt(one, 'b')).toBe('b');
    expect(await attempt(other, 'a')).toBe('a');
  });

  it('says the wait in whole seconds, and ends that long after the first attempt', async () => {
    const { pass } = standStill();
    const limiter = await openOne();
    await limiter.take('a');
    pass(1_500);
    await limiter.take('a');
    expect((await limiter.take('a')).waitSeconds).toBe(59);
    pass(MINUTE - 1_500);
    expect((await limiter.take('a')).waitSeconds).toBe(0);
  });

  it('is shared by machines whose clocks differ by a second', async () => {
    const { pass } = standStill();
    const limiter = await openOne();
    const waits: number[] = [];
    for (const difference of [1_000, -1_000, 1_000]) {
      pass(difference);
      waits.push((await limiter.take('a')).waitSeconds);
    }
    expect(waits).toEqual([0, 0, 60]);
  });

  it('counts neither released nor refused attempts, however many come at once', async () => {
    const limiter = await openOne();
    const allCame = Promise.withResolvers<void>();
    const attempts = Array.from({ length: 10 }, () =>
      withLimits([[limiter, 'a']], () => allCame.promise, never),
    );
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
    const taken = await limiter.take('a');
    const now = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(now + MINUTE);
    pass(MINUTE);
    await taken.release();
    expect(await refusals(limiter, 3)).toEqual([false, false, true]);
  });

  it('that cannot be counted is a 503 with Retry-After, and the action is not done', async () => {
    const opened = await openEmptyDatabase();
    const failing: Database = {
      ...opened,
      openLimiter: () => ({ take: () => Promise.reject(new StorageError('53100', { cause: 'full' })) }),
    };
    const { ask, db } = await testApi({ db: failing });
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

it('an attempt that a later limit could not count is released from the earlier ones', async () => {
  const counted = (await openEmptyDatabase()).openLimiter('name', { most: 1, every: MINUTE });
  const broken = { take: () => Promise.reject(new StorageError('53100', { cause: 'full' })) };
  const attempt = (...limits: readonly (readonly [Limiter, string])[]) =>
    withLimits(limits, () => 'done', always);
  await expect(attempt([counted, 'a'], [broken, 'a'])).rejects.toThrow(StorageError);
  await expect(attempt([counted, 'a'])).resolves.toBe('done');
});

it('a successful attempt succeeds even if it cannot be uncounted', async () => {
  const broken = new StorageError('53100', { cause: 'full' });
  const limiter = { take: async () => ({ waitSeconds: 0, release: () => Promise.reject(broken) }) };
  const done = withLimits([[limiter, 'a']], () => 'done', never);
  await expect(done).resolves.toBe('done');
});

it('a limit by address holds for its network, sixteen times as high, and for no provider', async () => {
  const db = await openEmptyDatabase();
  const limiter = createAddressLimiter(db.openLimiter, 'name', { most: 1, every: MINUTE });
  const allowedOf = async (addresses: readonly string[]) => {
    let allowed = 0;
    for (const address of addresses) {
      const attempt = await limiter.take(address);
      if (attempt.waitSeconds > 0) await attempt.release();
      else allowed += 1;
    }
    return allowed;
  };
  const numbers = Array.from({ length: 40 }, (_, index) => index);
  expect(await allowedOf(['198.51.100.1', '198.51.100.1'])).toBe(1);
  expect(await allowedOf(numbers.map((number) => `192.0.2.${number}`))).toBe(16);
  expect(await allowedOf(numbers.map((number) => `192.0.${number + 3}.1`))).toBe(40);
  expect(await allowedOf(numbers.map((number) => `2001:db8:1:${number}::/64`))).toBe(16);
  expect(await allowedOf(numbers.map((number) => `2001:db8:a${number}:1::/64`))).toBe(40);
});

it('the staff have their own limits', async () => {
  const db = await openEmptyDatabase();
  const { limits } = readSettings({ LIMIT_SIGN_IN: '1' });
  const [shop, staff] = [openLimiters(db, limits), openLimiters(db, limits, 'staff ')];
  await shop.signIn.take('owner@example.com');
  expect((await shop.signIn.take('owner@example.com')).waitSeconds).toBeGreaterThan(0);
  expect((await staff.signIn.take('owner@example.com')).waitSeconds).toBe(0);
});

describe('the counts in memory', () => {
  const SLIDING = { most: 10, every: MINUTE, sliding: true };
  const TOO_MANY = { status: 429 };
  const HASH_QUEUE_IS_FULL = { status: 503 };
  const counted = (limit = SLIDING) => {
    const counts = createMemoryCounts(limit.every);
    return { counts, limiter: createLimiter(counts, limit) };
  };
  const guess = (limiter: Limiter, key: string, caller?: string) =>
    withLimits([[limiter, key, caller]], () => 'wrong', always);
  const invented = (count: number) => `nobody${count}@example.com`;

  it('ten guesses stay ten, whether 500 invented emails are refused or 100,500 are counted', async () => {
    const { counts, limiter } = counted();
    for (let count = 0; count < 10; count += 1) await guess(limiter, 'asha@example.com');
    const refuse = () => Promise.reject(HASH_QUEUE_IS_FULL);
    for (let count = 0; count < 500; count += 1)
      await withLimits([[limiter, invented(count), '192.0.2.1']], refuse, never).catch(() => {});
    expect(counts.size()).toBe(10);
    for (let count = 0; count < 100_500; count += 1) await limiter.take(invented(count), '192.0.2.1');
    await expect(guess(limiter, 'asha@example.com')).rejects.toMatchObject(TOO_MANY);
    expect(counts.size()).toBeLessThan(101_000);
  });

  it('counts a new key with its network once the list is full, but an account always by itself', async () => {
    const { limiter } = counted();
    for (let count = 0; count < 100_000; count += 1) {
      const network = `2001:db8:${(count % 256).toString(16)}:1::/64`;
      await limiter.take(invented(count), network);
    }
    for (let count = 0; count < 10; count += 1) await guess(limiter, `new${count}@example.com`, '192.0.2.7');
    await expect(guess(limiter, 'another@example.com', '192.0.2.7')).rejects.toMatchObject(TOO_MANY);
    expect(await guess(limiter, 'another@example.com', '198.51.100.7')).toBe('wrong');
    expect(await guess(limiter, 'asha@example.com')).toBe('wrong');
  });

  it('has room again after windows have ended', async () => {
    const { pass } = standStill();
    const { counts, limiter } = counted();
    for (let count = 0; count < 5_000; count += 1) await limiter.take(invented(count), '192.0.2.1');
    expect(counts.size()).toBe(5_000);
    pass(MINUTE);
    await limiter.take('one more', '192.0.2.1');
    expect(counts.size()).toBe(1);
  });
});
