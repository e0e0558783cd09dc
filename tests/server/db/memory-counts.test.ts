import { describe, expect, it } from 'vitest';
import { createLimiter, createMemoryCounts, type Limiter } from '#server/db/limiter.ts';
import { withLimits } from '#server/services/limits.ts';
import { standStill } from '#tests/server/support/standing-date.ts';

const MINUTE = 60_000;

const never = () => false;
const always = () => true;

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
    for (let count = 0; count < 500; count += 1)
      await withLimits(
        [[limiter, invented(count), '192.0.2.1']],
        () => Promise.reject(HASH_QUEUE_IS_FULL),
        never,
      ).catch(() => {});
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
