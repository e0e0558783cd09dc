import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { BuildError, RefusedRelease } from '#scripts/program/explained-error.ts';
import { type PublishingStatus, WATCHER_CALLS } from '#scripts/program/publishing.ts';
import { watcher } from '#scripts/publish/release/source-version.ts';
import { StaleRelease } from '#scripts/publish/release/switch.ts';
import { type HookOptions, startHookServer, statusPage } from '#scripts/publish/watch/hook-server.ts';
import { type Asked, rebuildQueue, watchWork } from '#scripts/publish/watch/rebuild-queue.ts';

/** A build whose runs end only when the test ends them. */
function heldBuild() {
  let run = Promise.withResolvers<void>();
  const build = vi.fn(() => {
    run = Promise.withResolvers();
    return run.promise;
  });
  const settled = () => vi.advanceTimersByTimeAsync(0);
  return {
    build,
    async end() {
      run.resolve();
      await settled();
    },
    async fail(error: Error) {
      run.reject(error);
      await settled();
    },
  };
}

describe('the queue', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('[fault 83] fifty triggers while one build runs become one more', async () => {
    const { build, end } = heldBuild();
    const queue = rebuildQueue(build);
    for (let count = 0; count <= 50; count += 1) queue.trigger();
    expect(build).toHaveBeenCalledTimes(1);
    expect(queue.state()).toMatchObject({ state: 'building', pending: true });
    await end();
    await end();
    expect(build).toHaveBeenCalledTimes(2);
    expect(queue.state()).toMatchObject({ state: 'idle', pending: false });
  });

  test('a failed build is reported, and tried again after 5, 10, 20 s, and at most 5 min, or when it is asked for', async () => {
    const { build, fail, end } = heldBuild();
    const queue = rebuildQueue(build);
    queue.trigger();
    const waits: number[] = [];
    for (let count = 1; count <= 9; count += 1) {
      await fail(new Error('no answer'));
      expect(queue.state()).toMatchObject({
        state: 'waiting to try again',
        failure: expect.stringContaining('no answer'),
      });
      waits.push((queue.state().retryAt ?? 0) - Date.now());
      await vi.advanceTimersByTimeAsync(waits.at(-1) ?? 0);
      expect(build).toHaveBeenCalledTimes(count + 1);
    }
    expect(waits.map((wait) => wait / 1000)).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300]);
    await fail(new Error('no answer'));
    queue.trigger();
    expect(build).toHaveBeenCalledTimes(11);
    await end();
    expect(queue.state()).toMatchObject({ state: 'idle', failure: undefined, retryAt: undefined });
    await vi.advanceTimersByTimeAsync(600_000);
    expect(build).toHaveBeenCalledTimes(11);
  });

  test('a release that was refused is shown and not tried again, until somebody asks', async () => {
    const { build, fail } = heldBuild();
    const queue = rebuildQueue(build);
    queue.trigger();
    await fail(new RefusedRelease('went from 40 to 10 products'));
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(queue.state()).toMatchObject({ state: 'idle', failure: 'went from 40 to 10 products' });
    expect(build).toHaveBeenCalledTimes(1);
    queue.trigger();
    expect(build).toHaveBeenCalledTimes(2);
  });
});

describe('the work of the watcher', () => {
  const stubs = () => {
    const publish = vi.fn(async (_onSwitch: () => void, _asked: Asked) => {});
    const announceAgain = vi.fn(async () => {});
    return { publish, announceAgain, work: watchWork(publish, announceAgain) };
  };

  test('a publication that failed before its switch is repeated', async () => {
    const { publish, announceAgain, work } = stubs();
    publish.mockRejectedValueOnce(new Error('no answer'));
    work.ask();
    await expect(work.run()).rejects.toThrow('no answer');
    await work.run();
    await work.run();
    expect([publish.mock.calls.length, announceAgain.mock.calls.length]).toEqual([2, 1]);
  });

  test('a yes to the loss of many products counts for one publication, and is kept while the API does not answer', async () => {
    const { publish, work } = stubs();
    const yes = { allowShrink: true };
    publish.mockRejectedValueOnce(new Error('no answer'));
    work.ask(yes);
    await expect(work.run()).rejects.toThrow('no answer');
    publish.mockRejectedValueOnce(new RefusedRelease('a link leads nowhere'));
    await expect(work.run()).rejects.toThrow('a link leads nowhere');
    work.ask();
    await work.run();
    expect(publish.mock.calls.map(([, asked]) => asked)).toEqual([yes, yes, { allowShrink: false }]);
  });

  test('after the switch only the command is run again, unless another publication was asked for meanwhile', async () => {
    const { publish, announceAgain, work } = stubs();
    publish.mockImplementationOnce(async (onSwitch) => {
      onSwitch();
      throw new Error('the command after it failed');
    });
    work.ask();
    await expect(work.run()).rejects.toThrow('the command after it failed');
    announceAgain.mockRejectedValueOnce(new Error('failed once more'));
    await expect(work.run()).rejects.toThrow('failed once more');
    await work.run();
    expect([publish.mock.calls.length, announceAgain.mock.calls.length]).toEqual([1, 2]);
    publish.mockImplementationOnce(async (onSwitch) => {
      onSwitch();
      work.ask();
      throw new Error('the command after it failed');
    });
    work.ask();
    await expect(work.run()).rejects.toThrow('the command after it failed');
    await work.run();
    expect([publish.mock.calls.length, announceAgain.mock.calls.length]).toEqual([3, 2]);
  });
});

const STATUS: PublishingStatus = {
  state: 'idle',
  pending: false,
  failure: undefined,
  retryAt: undefined,
  builds: 1,
  live: '000001-20260101-000000',
  checkedAt: undefined,
  checkFailure: undefined,
  progress: undefined,
  releases: [
    {
      id: '000001-20260101-000000',
      at: '2026-01-01T00:00:00Z',
      kind: 'published',
      summary: ['Added (1):', '  <script>alert(1)</script>'],
    },
  ],
};

const TOKEN = 'a-token-of-the-shop-owner';

const DIFFERENCES = {
  added: [],
  removed: [],
  repriced: [],
  edited: [],
  texts: ['storeName'],
  isReordered: false,
};

async function hook(change: Partial<HookOptions> = {}) {
  const trigger = vi.fn();
  const rollBack = vi.fn(async (_from?: string) => ({ from: '2', to: '1' }));
  const server = await startHookServer({
    token: TOKEN,
    trigger,
    rollBack,
    differences: async () => DIFFERENCES,
    status: async () => STATUS,
    port: 0,
    host: '127.0.0.1',
    ...change,
  });
  onTestFinished(() => server.close());
  const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${server.port}${path}`, { method, headers });
  return { trigger, rollBack, ask };
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const OWNER = bearer(TOKEN);

describe('the hook', () => {
  const { publish, rollBack: goBack, differences, status } = WATCHER_CALLS;

  test.each(Object.values(WATCHER_CALLS))(
    '[fault 84] answers $method $path only to who has the token',
    async ({ method, path }) => {
      const { ask, trigger, rollBack } = await hook();
      for (const headers of [{}, bearer('wrong'), bearer(`${TOKEN}x`)]) {
        const refused = await ask(method, path, headers);
        // A browser asks for a user and a password then.
        expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Basic']);
        expect(await refused.json()).toEqual({ error: 'Wrong or missing token' });
      }
      expect((await ask(method, `${path}?token=${TOKEN}`)).status).toBe(401);
      const other = await ask(method === 'GET' ? 'POST' : 'GET', path, OWNER);
      expect([other.status, other.headers.get('allow')]).toEqual([405, expect.stringContaining(method)]);
      expect((await (await hook({ token: undefined })).ask(method, path, OWNER)).status).toBe(404);
      expect([trigger.mock.calls, rollBack.mock.calls]).toEqual([[], []]);
      expect((await ask(method, path, OWNER)).ok).toBe(true);
      expect((await ask(method, path, { 'X-Gitlab-Token': TOKEN })).ok).toBe(true);
    },
  );

  test('[fault 84] answers a flood with 429, and strangers do not lock the owner out', async () => {
    const { ask } = await hook();
    const statusesOf = async (headers = {}): Promise<number[]> => {
      const statuses: number[] = [];
      for (let count = 0; count < 121; count += 1)
        statuses.push((await ask(publish.method, publish.path, headers)).status);
      return statuses;
    };
    expect(await statusesOf()).toEqual([...Array(120).fill(401), 429]);
    const refused = await ask(publish.method, publish.path);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(await statusesOf(OWNER)).toEqual([...Array(120).fill(202), 429]);
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    expect((await ask(publish.method, publish.path)).status).toBe(401);
  });

  test('[fault 85] goes back, and says why where it cannot', async () => {
    const { ask, rollBack } = await hook();
    const answer = async (query = '') => {
      const response = await ask(goBack.method, goBack.path + query, OWNER);
      return [response.status, await response.json()];
    };
    expect(await answer()).toEqual([200, { from: '2', to: '1' }]);
    rollBack.mockRejectedValueOnce(new BuildError('There is no older release.'));
    expect(await answer()).toEqual([409, { error: 'There is no older release.' }]);
    rollBack.mockRejectedValueOnce(new StaleRelease('The live release is 3 by now.'));
    expect(await answer('?from=2')).toEqual([412, { error: 'The live release is 3 by now.' }]);
    expect(rollBack).toHaveBeenLastCalledWith('2');
    rollBack.mockRejectedValueOnce(new Error('/secret/path'));
    expect(await answer()).toEqual([500, { error: 'This cannot be answered now' }]);
  });

  test('shows what a publication would change, as long as something is live', async () => {
    const { ask } = await hook();
    expect(await (await ask(differences.method, differences.path, OWNER)).json()).toEqual(DIFFERENCES);
    const empty = await hook({ differences: async () => undefined });
    expect((await empty.ask(differences.method, differences.path, OWNER)).status).toBe(409);
  });

  test('[fault 84] shows the status as JSON, and to a browser as a page with every text escaped', async () => {
    const { ask } = await hook();
    expect(await (await ask('GET', status.path, OWNER)).json()).toMatchObject({ live: STATUS.live });
    const password = (text: string) => `Basic ${Buffer.from(`anybody:${text}`).toString('base64')}`;
    expect((await ask('GET', '/', { Authorization: password('wrong') })).status).toBe(401);
    const html = { Accept: 'text/html', Authorization: password(TOKEN) };
    const page = await (await ask('GET', '/', html)).text();
    expect(page).toContain('000001-20260101-000000 <strong>live</strong>');
    expect(page).not.toContain('<script>');
  });
});

test('the status page shows a failure and when it is tried again', () => {
  const page = statusPage({ ...STATUS, failure: 'The catalogue <is> empty', retryAt: 0 + 1 });
  expect(page).toContain('The catalogue &#60;is&#62; empty');
  expect(page).toContain('1970-01-01T00:00:00.001Z');
});

test('the watcher reports a change once, and an API that does not answer', async () => {
  const versions: (string | Error)[] = ['a', 'a', 'b', new Error('no answer'), 'b', 'c'];
  const source = {
    version: async () => {
      const next = versions.shift();
      if (typeof next !== 'string') throw next;
      return next;
    },
  };
  const catalogue = watcher(source, 'a');
  const seen = [];
  for (let count = 0; count < 6; count += 1) seen.push([await catalogue.look(), catalogue.failure()]);
  expect(seen).toEqual([
    [false, undefined],
    [false, undefined],
    [true, undefined],
    [false, 'no answer'],
    [false, undefined],
    [true, undefined],
  ]);
});
