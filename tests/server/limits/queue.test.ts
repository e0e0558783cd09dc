import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { callerAt } from '#server/http/caller.ts';
import { createQueue } from '#server/limits/queue.ts';
import type { Lane } from '#server/limits/table.ts';

/** A lane whose work ends when the test says so. */
function held(lane: Lane) {
  const queue = createQueue(lane);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  /** Returns 'done', or 503. */
  const run = (name: string, address: string, account?: string): Promise<unknown> => {
    const work = () =>
      new Promise<string>((resolve) => {
        begun.push(name);
        ends.set(name, () => resolve('done'));
      });
    return queue.run({ ...callerAt(address), account }, work).catch(({ status }) => status);
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await turn();
  };
  return { begun, run, end, load: queue.load };
}

it('a line has at most a quarter of the places, and a network half', async () => {
  const { run, load } = held({ atOnce: 1, places: 16 });
  const of = (count: number, addressOf: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => run('x', addressOf(index)));
  // All in one /56 of IPv6.
  await Promise.all(of(5, (index) => `2001:db8:1:22${index}0::1`).slice(4)).then((found) =>
    expect(found).toEqual([503]),
  );
  await Promise.all(of(9, (index) => `192.0.2.${index}`).slice(8)).then((found) =>
    expect(found).toEqual([503]),
  );
  expect(load()).toEqual({ running: 1, waiting: 11 });
});

it('the caller with the fewest places goes first, by network, line and account', async () => {
  const { run, begun, end } = held({ atOnce: 1, places: 40 });
  void run('running', '192.0.2.9');
  for (const name of ['flood 1', 'flood 2', 'flood 3']) void run(name, '192.0.2.1', 'flooder');
  void run('same line', '192.0.2.1', 'asha');
  void run('same network', '192.0.2.2');
  void run('elsewhere', '198.51.100.1');
  await turn();
  for (let ended = 0; ended < 7; ended += 1) await end(begun.at(-1) ?? '');
  expect(begun).toEqual([
    'running',
    'elsewhere',
    'same network',
    'same line',
    'flood 1',
    'flood 2',
    'flood 3',
  ]);
});

it('a full lane makes room for a network with fewer places by dropping a request of the one with most', async () => {
  const { run, load } = held({ atOnce: 1, places: 8 });
  const first = Array.from({ length: 4 }, (_, index) => run('a', `192.0.2.${index}`));
  for (let index = 0; index < 4; index += 1) void run('b', `198.51.100.${index}`);
  void run('right', '203.0.113.1');
  const refused = await Promise.race([...first, turn('none')]);
  expect([refused, load()]).toEqual(['none', { running: 1, waiting: 7 }]);
  expect(await run('c', '192.0.2.200')).toBe(503);
});

it('a network with half of the places makes room for its line with fewer', async () => {
  const { run } = held({ atOnce: 1, places: 16 });
  const flood = Array.from({ length: 8 }, (_, index) => run('a', `192.0.2.${index >> 2}`));
  const right = run('right', '192.0.2.9');
  expect(await Promise.race([...flood, right])).toBe(503);
  expect(await Promise.race([right, turn('waits')])).toBe('waits');
  expect(await run('a', '192.0.2.0')).toBe(503);
});

it('an account runs at most its share, while others run', async () => {
  const { run, begun, end } = held({ atOnce: 4, places: 400, ofAccount: 2 });
  for (const name of ['1', '2', '3']) void run(name, '192.0.2.1', 'asha');
  void run('other', '192.0.2.1', 'bina');
  await turn();
  expect(begun).toEqual(['1', '2', 'other']);
  await end('1');
  expect(begun).toEqual(['1', '2', 'other', '3']);
});

it('a place rests after work that blocked the event loop, so that others are served', async () => {
  const { run } = createQueue({ atOnce: 1, places: 40, rests: 7 });
  const served: string[] = [];
  const busy = (name: string) => {
    const until = performance.now() + 5;
    while (performance.now() < until);
    served.push(name);
  };
  const reads = ['read 1', 'read 2'].map((name) => run(callerAt('192.0.2.1'), () => busy(name)));
  await Promise.all([...reads, wait(10).then(() => served.push('other'))]);
  expect(served).toEqual(['read 1', 'other', 'read 2']);
});
