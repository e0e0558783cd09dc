import { describe, expect, it } from 'vitest';
import type { Database } from '#server/db/database.ts';
import { StorageError } from '#server/db/errors.ts';
import { MINUTE } from '#server/process/clock.ts';
import { dropEndedWindows, type Limiter, openLimiters, withLimits } from '#server/services/limits.ts';
import { forEachLimit, type Limit, readSettings } from '#server/settings/settings.ts';
import { testApi } from '#tests/server/support/api.ts';
import { openEmptyDatabase } from '#tests/server/support/databases.ts';
import { countRows } from '#tests/server/support/rows.ts';
import { standStill } from '#tests/server/support/standing-date.ts';

const LIMIT = { most: 2, every: MINUTE };

const limiterOf = (db: Database, limit: Limit = LIMIT) =>
  openLimiters(
    db,
    forEachLimit(() => limit),
  ).reset;

const openOne = async (limit?: Limit) => limiterOf(await openEmptyDatabase(), limit);

const taken = (limiter: Limiter, key = 'a') => withLimits([limiter(key)], () => key, always);

/** Which of so many attempts have to wait. */
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
  it('counts each key by itself, and each limit', async () => {
    const { reset, contact } = openLimiters(
      await openEmptyDatabase(),
      forEachLimit(() => LIMIT),
    );
    expect(await refusals(reset, 3)).toEqual([false, false, true]);
    expect(await taken(reset, 'b')).toBe('b');
    expect(await taken(contact)).toBe('a');
  });

  const waitOf = (seconds: number) => ({ status: 429, headers: { 'Retry-After': `${seconds}` } });

  it('says the wait in whole seconds, and ends that long after the first attempt', async () => {
    const { pass } = standStill();
    const limiter = await openOne();
    await taken(limiter);
    pass(1_500);
    await taken(limiter);
    await expect(taken(limiter)).rejects.toMatchObject(waitOf(59));
    pass(MINUTE - 1_500);
    expect(await refusals(limiter, 3)).toEqual([false, false, true]);
  });

  it('that slides ends for each attempt by itself', async () => {
    const { pass } = standStill();
    const limiter = await openOne({ ...LIMIT, sliding: true });
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
    const limiter = await openOne();
    pass(1_000);
    await taken(limiter);
    pass(-1_000);
    await taken(limiter);
    pass(1_000);
    await expect(taken(limiter)).rejects.toMatchObject(waitOf(60));
    pass(-24 * 60 * MINUTE);
    expect(await refusals(limiter, 3)).toEqual([false, false, true]);
  });

  it('counts neither released nor refused attempts, however many come at once', async () => {
    const limiter = await openOne();
    const allCame = Promise.withResolvers<void>();
    const attempts = Array.from({ length: 10 }, () =>
      withLimits([limiter('a')], () => allCame.promise, never),
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
    const later = async () => {
      pass(MINUTE);
      return refusals(limiter, 1);
    };
    await withLimits([limiter('a')], later, never);
    expect(await refusals(limiter, 2)).toEqual([false, true]);
  });

  it('that cannot be counted is a 503 with Retry-After, and the action is not done', async () => {
    const opened = await openEmptyDatabase();
    const failing: Database = {
      ...opened,
      rateLimits: { ...opened.rateLimits, row: () => Promise.reject(FULL) },
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
  const limiter = await openOne({ most: 1, every: MINUTE });
  const broken = [() => Promise.reject(FULL)];
  await expect(withLimits([limiter('a'), broken], () => 'done')).rejects.toThrow(StorageError);
  expect(await taken(limiter)).toBe('a');
});

it('a successful attempt succeeds even if it cannot be uncounted', async () => {
  const take = async () => () => Promise.reject(FULL);
  expect(await withLimits([[take]], () => 'done', never)).toBe('done');
});

it('a limit by address holds for its network, sixteen times as high, and for no provider', async () => {
  const limiter = await openOne({ most: 1, every: MINUTE, byAddress: true });
  const allowedOf = async (addresses: readonly string[]) => {
    const found = await Promise.allSettled(addresses.map((address) => taken(limiter, address)));
    return found.filter(({ status }) => status === 'fulfilled').length;
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
  expect(await refusals(shop.signIn, 2)).toEqual([false, true]);
  expect(await refusals(staff.signIn, 2)).toEqual([false, true]);
});

it('a flood of invented keys pushes no count out, and ended windows are deleted', async () => {
  const { pass } = standStill();
  const db = await openEmptyDatabase();
  const limiter = limiterOf(db, { most: 2, every: MINUTE, sliding: true });
  const sizes = () => countRows(db.rateLimits, 'rate_limits');
  await refusals(limiter, 2);
  for (let count = 0; count < 2_000; count += 1) await taken(limiter, `nobody${count}@example.com`);
  expect(await refusals(limiter, 1)).toEqual([true]);
  pass(MINUTE - 1);
  await dropEndedWindows({ db });
  expect(await sizes()).toBe(2_002);
  pass(1);
  await dropEndedWindows({ db });
  expect(await sizes()).toBe(0);
});
