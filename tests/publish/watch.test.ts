import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { HookOptions } from '#scripts/publish/watch/hook-server.ts';
import { publishLoop } from '#scripts/publish/watch/publish-loop.ts';
import { startWatcher } from '#scripts/publish/watch/start-watcher.ts';
import { RefusedRelease } from '#server/process/explained-error.ts';
import { WATCHER_CALLS } from '#server/process/publishing.ts';
import { freePort } from '#tests/support/free-port.ts';
import { startHook, TOKEN } from '#tests/support/watcher-hook.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

type Publish = Parameters<typeof publishLoop>[0]['publish'];

/** A loop that publishes only on request. */
function startLoop(change: Partial<Parameters<typeof publishLoop>[0]>) {
  const loop = publishLoop({
    hasChanged: async () => false,
    publish: async () => {},
    runCommandAgain: async () => {},
    onFailure: () => {},
    isCommandDue: false,
    interval: 60_000,
    ...change,
  });
  onTestFinished(loop.stop);
  return loop;
}

/** A loop whose publications end only when the test ends them. */
function heldLoop() {
  const open: { resolve: () => void; reject: (error: Error) => void; onSwitch: () => void }[] = [];
  const publish = vi.fn<Publish>(
    (_allowShrink, onSwitch) =>
      new Promise((resolve, reject) => {
        open.push({ resolve, reject, onSwitch });
      }),
  );
  const runCommandAgain = vi.fn(async () => {});
  const { request, state } = startLoop({ publish, runCommandAgain });
  const settle = () => vi.advanceTimersByTimeAsync(0);
  return {
    state,
    publish,
    runCommandAgain,
    begun: () => publish.mock.calls.length,
    async request(allowShrink?: boolean) {
      request(allowShrink);
      await settle();
    },
    switchRelease: () => open.at(-1)?.onSwitch(),
    async end() {
      open.at(-1)?.resolve();
      await settle();
    },
    async fail(error: Error = new Error('no answer')) {
      open.at(-1)?.reject(error);
      await settle();
    },
  };
}

const REFUSED = new RefusedRelease('went from 40 to 10 products');

describe('the loop', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('fifty triggers while one build runs become one more', async () => {
    const { request, state, begun, end } = heldLoop();
    await request();
    for (let count = 0; count < 50; count += 1) await request();
    expect(begun()).toBe(1);
    expect(state()).toMatchObject({ state: 'building', pending: true });
    await end();
    expect(begun()).toBe(2);
    await end();
    expect(begun()).toBe(2);
    expect(state()).toMatchObject({ state: 'idle', pending: false });
  });

  test('a request counts as building at once, while the catalogue is still checked', () => {
    const { request, state } = startLoop({ hasChanged: () => new Promise(() => {}) });
    expect(state()).toMatchObject({ state: 'idle' });
    request();
    expect(state()).toMatchObject({ state: 'building' });
  });

  test('a failed build is reported and tried again after 5, 10, 20 s, and at most 5 min', async () => {
    const { request, state, begun, fail, end } = heldLoop();
    await request();
    const waits: number[] = [];
    for (let count = 1; count <= 9; count += 1) {
      await fail();
      waits.push((state().retryAt ?? 0) - Date.now());
      expect(state()).toMatchObject({ state: 'waiting to try again' });
      expect(state().failure).toContain('no answer');
      await vi.advanceTimersByTimeAsync(waits.at(-1) ?? 0);
      expect(begun()).toBe(count + 1);
    }
    expect(waits.map((wait) => wait / 1000)).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300]);
    await end();
    expect(state()).toMatchObject({ state: 'idle', failure: undefined, retryAt: undefined });
  });

  test('a refused release is reported and not tried again before the next request', async () => {
    const { request, state, begun, fail } = heldLoop();
    await request();
    await fail(REFUSED);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(state()).toMatchObject({ state: 'idle', failure: REFUSED.message });
    expect(begun()).toBe(1);
    await request();
    expect(begun()).toBe(2);
  });

  test('a request does not wait for the next retry', async () => {
    const { request, begun, fail } = heldLoop();
    await request();
    await fail();
    await request();
    expect(begun()).toBe(2);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(begun()).toBe(2);
  });

  test('permission to lose many products counts for one publication, and stays while the API does not answer', async () => {
    const { request, publish, fail } = heldLoop();
    await request(true);
    await fail();
    await vi.advanceTimersByTimeAsync(5_000);
    await fail(REFUSED);
    await request();
    expect(publish.mock.calls.map(([allowShrink]) => allowShrink)).toEqual([true, true, false]);
  });

  test('after the switch only the command is run again, unless another publication was requested meanwhile', async () => {
    const { request, begun, switchRelease, runCommandAgain, fail } = heldLoop();
    await request();
    switchRelease();
    runCommandAgain.mockRejectedValueOnce(new Error('failed once more'));
    await fail(new Error('the command after it failed'));
    await vi.advanceTimersByTimeAsync(5_000);
    await vi.advanceTimersByTimeAsync(10_000);
    expect([begun(), runCommandAgain.mock.calls.length]).toEqual([1, 2]);
    await request();
    switchRelease();
    await request();
    await fail(new Error('the command after it failed'));
    expect([begun(), runCommandAgain.mock.calls.length]).toEqual([3, 2]);
  });
});

async function hook(change: Partial<HookOptions> = {}) {
  const { url, ...calls } = await startHook(change);
  const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
    fetch(url + path, { method, headers });
  return { ...calls, ask };
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const OWNER = bearer(TOKEN);

describe('the hook', () => {
  const { publish, rollBack: goBack } = WATCHER_CALLS;

  test.each(Object.values(WATCHER_CALLS))(
    'answers $method $path only with the token',
    async ({ method, path }) => {
      const { ask, trigger, rollBack } = await hook();
      for (const headers of [{}, bearer('wrong'), bearer(`${TOKEN}x`)]) {
        const refused = await ask(method, path, headers);
        expect(refused.status).toBe(401);
        expect(await refused.json()).toEqual({ error: 'Wrong or missing token' });
      }
      expect((await ask(method, `${path}?token=${TOKEN}`)).status).toBe(401);
      const other = await ask(method === 'GET' ? 'POST' : 'GET', path, OWNER);
      expect([other.status, other.headers.get('allow')]).toEqual([405, expect.stringContaining(method)]);
      expect((await (await hook({ token: undefined })).ask(method, path, OWNER)).status).toBe(404);
      expect([trigger.mock.calls, rollBack.mock.calls]).toEqual([[], []]);
      expect((await ask(method, path, OWNER)).ok).toBe(true);
    },
  );

  test('answers a flood with 429, and strangers do not lock the owner out', async () => {
    // The whole flood is in one minute.
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ['Date'] });
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
    vi.setSystemTime(Date.now() + 60_000);
    expect((await ask(publish.method, publish.path)).status).toBe(401);
  });

  // tests/server/publishing proves what the admin's client makes of the other answers.
  test('says nothing of an unexpected error', async () => {
    const { ask, rollBack } = await hook();
    rollBack.mockRejectedValueOnce(new Error('/secret/path'));
    const answer = await ask(goBack.method, goBack.path, OWNER);
    expect([answer.status, await answer.json()]).toEqual([500, { error: 'This cannot be answered now' }]);
  });
});

test('the watcher reports an API that does not answer, and publishes nothing', async () => {
  const publish = vi.fn();
  const api = { PUBLIC_API_HOST: `http://127.0.0.1:${await freePort()}` };
  const { port, close } = await startWatcher({
    root: temporaryFolder(),
    token: TOKEN,
    host: '127.0.0.1',
    port: 0,
    interval: 60,
    env: api,
    log: () => {},
    publish,
  });
  onTestFinished(close);
  const status = async () => (await fetch(`http://127.0.0.1:${port}/status`, { headers: OWNER })).json();
  await expect.poll(status).toMatchObject({ checkFailure: expect.any(String) });
  expect(publish).not.toHaveBeenCalled();
});
