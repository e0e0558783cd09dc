import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { BuildError, RefusedRelease } from '#scripts/program/explained-error.ts';
import type { PublishingStatus } from '#scripts/program/publishing.ts';
import { watcher } from '#scripts/publish/release/source-version.ts';
import { StaleRelease } from '#scripts/publish/release/switch.ts';
import { type HookOptions, startHookServer, statusPage } from '#scripts/publish/watch/hook-server.ts';
import { type Asked, rebuildQueue, watchWork } from '#scripts/publish/watch/rebuild-queue.ts';

/** Builds that end only when the test ends them. */
function builds() {
  const open: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const build = (): Promise<void> =>
    new Promise((resolve, reject) => {
      open.push({ resolve, reject });
    });
  const settle = async (): Promise<void> => {
    for (let tick = 0; tick < 10; tick += 1) await Promise.resolve();
  };
  return {
    build,
    begun: () => open.length,
    async end() {
      open.at(-1)?.resolve();
      await settle();
    },
    async fail(text: string) {
      open.at(-1)?.reject(new Error(text));
      await settle();
    },
  };
}

describe('the queue', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('[fault 83] fifty triggers while one build runs become one more', async () => {
    const { build, begun, end } = builds();
    const queue = rebuildQueue(build);
    queue.trigger();
    for (let count = 0; count < 50; count += 1) queue.trigger();
    expect(begun()).toBe(1);
    expect(queue.state()).toMatchObject({ state: 'building', pending: true });
    await end();
    expect(begun()).toBe(2);
    await end();
    expect(begun()).toBe(2);
    expect(queue.state()).toMatchObject({ state: 'idle', pending: false });
  });

  test('a failed build is reported and tried again after 5, 10, 20 s, and at most 5 min', async () => {
    const { build, begun, fail, end } = builds();
    const queue = rebuildQueue(build);
    queue.trigger();
    const waits: number[] = [];
    for (let count = 1; count <= 9; count += 1) {
      await fail('no answer');
      waits.push((queue.state().retryAt ?? 0) - Date.now());
      expect(queue.state()).toMatchObject({ state: 'waiting to try again' });
      expect(queue.state().failure).toContain('no answer');
      await vi.advanceTimersByTimeAsync(waits.at(-1) ?? 0);
      expect(begun()).toBe(count + 1);
    }
    expect(waits.map((wait) => wait / 1000)).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300]);
    await end();
    expect(queue.state()).toMatchObject({ state: 'idle', failure: undefined, retryAt: undefined });
  });

  test('a release that was refused is told and not tried again, until somebody asks', async () => {
    let tries = 0;
    const queue = rebuildQueue(async () => {
      tries += 1;
      throw new RefusedRelease('went from 40 to 10 products');
    });
    queue.trigger();
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(queue.state()).toMatchObject({ state: 'idle', failure: 'went from 40 to 10 products' });
    expect(tries).toBe(1);
    queue.trigger();
    await vi.advanceTimersByTimeAsync(0);
    expect(tries).toBe(2);
  });

  test('a trigger does not wait for the next try', async () => {
    const { build, begun, fail } = builds();
    const queue = rebuildQueue(build);
    queue.trigger();
    await fail('no answer');
    queue.trigger();
    expect(begun()).toBe(2);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(begun()).toBe(2);
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
  const url = `http://127.0.0.1:${server.port}`;
  const post = (headers: Record<string, string> = {}, path = '/rebuild') =>
    fetch(url + path, { method: 'POST', headers, body: '$(touch /tmp/x); `id`' });
  return { trigger, rollBack, url, post };
}

const OWNER = { Authorization: `Bearer ${TOKEN}` };

describe('the hook', () => {
  test('[fault 84] accepts only the token', async () => {
    const { post, trigger } = await hook();
    expect((await post()).status).toBe(401);
    expect((await post({ Authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await post({ Authorization: `Bearer ${TOKEN}x` })).status).toBe(401);
    expect((await post({}, `/rebuild?token=${TOKEN}`)).status).toBe(401);
    expect(trigger).not.toHaveBeenCalled();
    expect((await post({ Authorization: `Bearer ${TOKEN}` })).status).toBe(202);
    expect((await post({ 'X-Gitlab-Token': TOKEN })).status).toBe(202);
    expect(trigger).toHaveBeenCalledTimes(2);
    expect(trigger).toHaveBeenCalledWith(false);
  });

  test('[fault 84] answers GET with 405 and a flood with 429', async () => {
    const { post, url } = await hook();
    const get = await fetch(`${url}/rebuild`);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    const statuses: number[] = [];
    for (let count = 0; count < 125; count += 1) statuses.push((await post()).status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(120);
    const refused = await post();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    // Strangers do not lock the owner out, whose calls have a limit of their own.
    const ownerStatuses: number[] = [];
    for (let count = 0; count < 121; count += 1)
      ownerStatuses.push((await post({ Authorization: `Bearer ${TOKEN}` })).status);
    expect([ownerStatuses[0], ownerStatuses[119], ownerStatuses[120]]).toEqual([202, 202, 429]);
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    expect((await post()).status).toBe(401);
  });

  test('is off without a token', async () => {
    const { post, trigger, rollBack } = await hook({ token: undefined });
    expect([(await post(OWNER)).status, (await post(OWNER, '/rollback')).status]).toEqual([404, 404]);
    expect([trigger.mock.calls, rollBack.mock.calls]).toEqual([[], []]);
  });

  test('[fault 84, 85] goes back for who has the token, and says why where it cannot', async () => {
    const { post, url, rollBack } = await hook();
    expect((await post({}, '/rollback')).status).toBe(401);
    expect((await fetch(`${url}/rollback`)).status).toBe(405);
    expect(rollBack).not.toHaveBeenCalled();
    const answer = await post(OWNER, '/rollback');
    expect([answer.status, await answer.json()]).toEqual([200, { from: '2', to: '1' }]);
    rollBack.mockRejectedValueOnce(new BuildError('There is no older release to go back to.'));
    const refused = await post(OWNER, '/rollback');
    expect([refused.status, await refused.json()]).toEqual([
      409,
      { error: 'There is no older release to go back to.' },
    ]);
    rollBack.mockRejectedValueOnce(new StaleRelease('The live release is 3 by now.'));
    const stale = await post(OWNER, '/rollback?from=2');
    expect([stale.status, rollBack.mock.lastCall]).toEqual([412, ['2']]);
    rollBack.mockRejectedValueOnce(new Error('/secret/path'));
    const failed = await post(OWNER, '/rollback');
    expect([failed.status, await failed.text()]).toEqual([500, expect.not.stringContaining('secret')]);
  });

  test('[fault 84] tells who has the token what a publication would change', async () => {
    const { url } = await hook();
    expect((await fetch(`${url}/differences`)).status).toBe(401);
    expect((await fetch(`${url}/differences`, { method: 'POST' })).status).toBe(405);
    expect(await (await fetch(`${url}/differences`, { headers: OWNER })).json()).toEqual(DIFFERENCES);
    const empty = await hook({ differences: async () => undefined });
    expect((await fetch(`${empty.url}/differences`, { headers: OWNER })).status).toBe(409);
    expect((await fetch(`${url}/__proto__`)).status).toBe(404);
  });

  test('[fault 84] shows the status to who has the token: as JSON, and as a page with every text escaped', async () => {
    const { url } = await hook();
    for (const path of ['/', '/status']) {
      const refused = await fetch(url + path);
      expect([refused.status, await refused.text()]).toEqual([401, expect.not.stringContaining('idle')]);
      // A browser asks for a user and a password then.
      expect(refused.headers.get('www-authenticate')).toBe('Basic');
    }
    const status = (headers: Record<string, string>) => fetch(`${url}/status`, { headers });
    expect(await (await status(OWNER)).json()).toMatchObject({ state: 'idle', live: STATUS.live });
    const password = (text: string) => `Basic ${Buffer.from(`anybody:${text}`).toString('base64')}`;
    expect((await status({ Authorization: password('wrong') })).status).toBe(401);
    const page = await (await status({ Accept: 'text/html', Authorization: password(TOKEN) })).text();
    expect(page).toContain('000001-20260101-000000 <strong>live</strong>');
    expect(page).not.toContain('<script>');
  });
});

test('the status page shows a failure and when it is tried again', () => {
  const page = statusPage({ ...STATUS, failure: 'The catalogue <is> empty', retryAt: 0 + 1 });
  expect(page).toContain('The catalogue &#60;is&#62; empty');
  expect(page).toContain('1970-01-01T00:00:00.001Z');
});

describe('the watcher', () => {
  test('reports a change once, and an API that does not answer', async () => {
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
});
