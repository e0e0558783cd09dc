import { createHash } from 'node:crypto';
import { verify } from '@node-rs/argon2';
import * as v from 'valibot';
import { describe, expect, it, test, vi } from 'vitest';
import { randomToken } from '#server/db/tokens.ts';
import { COUNTS, type LaneName } from '#server/limits/table.ts';
import { MINUTE } from '#server/process/clock.ts';
import { readSettings } from '#server/settings/settings.ts';
import { ADMIN_PASSWORD, adminApi, ORIGIN } from '#tests/server/support/admin.ts';
import { limitedApi, PASSWORD, testApi, withCustomer } from '#tests/server/support/api.ts';
import { rowsOf, valuesOf } from '#tests/server/support/rows.ts';
import { countsWith } from '#tests/support/api.ts';

vi.mock('@node-rs/argon2', async (original) => {
  const argon2 = await original<typeof import('@node-rs/argon2')>();
  return { ...argon2, verify: vi.fn(argon2.verify) };
});

/** The cost parameters in a hash. */
const costOf = (hash: string): string => hash.split('$').slice(1, 4).join('$');

/** Holds back all hashing until the returned function is called. Then calls `around` for each hash. */
async function holdHashes(around: typeof verify = (...given) => realVerify(...given)) {
  const allArrived = Promise.withResolvers<void>();
  vi.mocked(verify).mockImplementation(async (...given) => {
    await allArrived.promise;
    return around(...given);
  });
  return allArrived.resolve;
}

const { verify: realVerify } = await vi.importActual<typeof import('@node-rs/argon2')>('@node-rs/argon2');

const deviceIn = ({ json }: { json: unknown }) => v.parse(v.object({ device: v.string() }), json).device;

const asha = { email: 'asha@example.com', password: PASSWORD, firstName: 'Asha', lastName: 'Rao' };

describe('POST /users/register', () => {
  it('a network address has a limit an hour, which refused emails count towards; the 429 says when to try again', async () => {
    const { ask, pass } = await limitedApi({ counts: countsWith('registration', { line: 6 }) });
    const register = (email: string, from = '192.0.2.1') =>
      ask('/users/register', { json: { ...asha, email }, from });
    for (const email of ['a@example.com', 'b@example.com']) {
      expect((await register(email)).status).toBe(201);
      expect((await register(email)).status).toBe(422);
      expect((await register('no address')).status).toBe(422);
      expect((await register(email)).status).toBe(422);
    }
    pass(7 * MINUTE);
    for (const email of ['a@example.com', 'c@example.com']) {
      const refused = await register(email);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3180']);
      expect(refused.json).toEqual({ error: 'Too many attempts. Please try again in 53 minutes.' });
    }
    expect((await register('c@example.com', '192.0.2.2')).status).toBe(201);
    pass(53 * MINUTE);
    expect((await register('d@example.com')).status).toBe(201);
  });
  it('other fields of the body are ignored', async () => {
    const { ask, db, now } = await testApi();
    await ask('/users/register', { json: { ...asha, id: 'mine', role: 'admin', createdAt: 0 } });
    const ignored = { id: expect.not.stringMatching('mine'), created_at: now() };
    expect(await rowsOf(db, 'SELECT * FROM customers')).toEqual([expect.objectContaining(ignored)]);
  });
});

describe('POST /users/authorize', () => {
  it('an unknown email and a wrong password get the same status, bytes and work', async () => {
    const { ask } = await testApi({ settings: { hashing: realHashing } });
    await ask('/users/register', { json: asha });
    vi.mocked(verify).mockClear();
    const wrong = () => ask('/users/authorize', { json: { ...asha, password: 'wrong-password' } });
    const unknown = () =>
      ask('/users/authorize', { json: { email: 'nobody@example.com', password: PASSWORD } });
    const [a, b] = [await wrong(), await unknown()];
    expect([a.status, a.json]).toEqual([401, { error: 'Invalid email or password.' }]);
    expect([b.status, b.text, [...b.headers]]).toEqual([a.status, a.text, [...a.headers]]);

    // The work is argon2's: as many hashes, of the same cost.
    const [known, ...others] = vi.mocked(verify).mock.calls.map(([hash]) => costOf(String(hash)));
    expect(known).toMatch(/m=\d+,t=\d+,p=1/);
    expect(others).toEqual([known]);
  });

  it('the 11th failure of a line in any 15 minutes is a 429, for unknown emails too', async () => {
    const { ask, pass } = await limitedApi();
    await ask('/users/register', { json: asha });
    for (const email of [asha.email, 'nobody@example.com']) {
      const fail = () => ask('/users/authorize', { json: { email, password: 'wrong-password' } });
      for (let attempt = 0; attempt < 10; attempt += 1) expect((await fail()).status).toBe(401);
      pass(14 * MINUTE);
      const refused = await fail();
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
      expect(refused.json).toEqual({ error: 'Too many attempts. Please try again in 60 seconds.' });
    }
    pass(MINUTE);
    expect((await ask('/users/authorize', { json: asha })).status).toBe(200);
  });

  it('wrong passwords from elsewhere lock nobody out on a new device, until all lines have used up the day', async () => {
    const { ask } = await limitedApi({ counts: countsWith('passwordDay', { target: 41 }) });
    await ask('/users/register', { json: asha });
    const signIn = (from: string, password = PASSWORD) =>
      ask('/users/authorize', { json: { ...asha, password }, from });
    const refused: number[] = [];
    for (let attempt = 0; attempt < 40; attempt += 1) {
      const { status } = await signIn(`192.0.${attempt % 4}.1`, 'wrong-password');
      if (status !== 401) refused.push(attempt);
    }
    expect(refused).toEqual([]);
    expect((await signIn('198.51.100.1')).status).toBe(200);
    expect((await signIn('198.51.100.2', 'wrong-password')).status).toBe(401);
    expect((await signIn('198.51.100.1')).status).toBe(429);
  });

  it('a device that the account knows is not locked out by others, and has ten guesses of its own', async () => {
    const { ask } = await limitedApi();
    await ask('/users/register', { json: asha });
    const signIn = (device?: unknown, password = PASSWORD, email = asha.email) =>
      ask('/users/authorize', { json: { email, password, device } });
    const device = deviceIn(await signIn());
    for (let attempt = 0; attempt < 10; attempt += 1) await signIn('a made-up device', 'wrong-password');
    expect((await signIn()).status).toBe(429);
    expect((await signIn('a made-up device')).status).toBe(429);
    const known = await signIn(device);
    expect([known.status, known.json]).toEqual([200, { token: expect.any(String), device }]);

    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect((await signIn(device, 'wrong-password')).status).toBe(401);
    }
    expect((await signIn(device)).status).toBe(429);

    // The token belongs to this account alone, until another customer signs in on the device.
    const bina = { ...asha, email: 'bina@example.com' };
    await ask('/users/register', { json: bina });
    for (let attempt = 0; attempt < 10; attempt += 1) await signIn(device, 'wrong-password', bina.email);
    expect((await signIn(device, PASSWORD, bina.email)).status).toBe(429);
  });

  it('two customers can share a device, and a token that is not ours is replaced', async () => {
    const { ask, db } = await testApi();
    const emails = ['asha@example.com', 'bina@example.com'];
    const devices: unknown[] = ['made-up'];
    for (const email of emails) {
      await ask('/users/register', { json: { ...asha, email } });
      const json = { email, password: PASSWORD, device: devices.at(-1) };
      devices.push(deviceIn(await ask('/users/authorize', { json })));
    }
    expect(devices[1]).not.toBe('made-up');
    expect(devices[2]).toBe(devices[1]);
    const stored = JSON.stringify(await rowsOf(db, 'SELECT * FROM devices'));
    expect(stored).not.toContain(devices[1]);
  });

  it('an account can sign in 30 times in 15 minutes: what succeeds counts towards no limit of guesses', async () => {
    const { ask, pass } = await limitedApi();
    await ask('/users/register', { json: asha });
    for (let attempt = 0; attempt < 30; attempt += 1) {
      expect((await ask('/users/authorize', { json: asha })).status).toBe(200);
    }
    expect((await ask('/users/authorize', { json: asha })).status).toBe(429);
    pass(15 * MINUTE);
    expect((await ask('/users/authorize', { json: asha })).status).toBe(200);
  });

  const failFrom = ({ ask }: Pick<Awaited<ReturnType<typeof testApi>>, 'ask'>, from: string) => {
    const json = { email: `${crypto.randomUUID()}@example.com`, password: 'wrong-password' };
    return ask('/users/authorize', { json, from });
  };

  it('a network address has a limit for all of its devices and another for a day, which known devices are exempt from', async () => {
    const counts = {
      ...countsWith('password', { line: 10 }),
      passwordDay: { ...COUNTS.passwordDay, line: 15 },
    };
    const api = await limitedApi({ counts });
    await api.ask('/users/register', { json: asha });
    const device = deviceIn(await api.ask('/users/authorize', { json: asha }));
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 30; attempt += 1) {
      if (attempt % 12 === 11) api.pass(15 * MINUTE);
      statuses.push((await failFrom(api, '203.0.113.7')).status);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(15);
    expect((await api.ask('/users/authorize', { json: asha })).status).toBe(429);
    expect((await api.ask('/users/authorize', { json: { ...asha, device } })).status).toBe(200);
    expect((await failFrom(api, '203.0.113.8')).status).toBe(401);
  });

  it('of 200 at once 52 are hashed, two at a time, the rest get a 503, and reading goes on', async () => {
    let [running, maxRunning, refusals] = [0, 0, 0];
    const release = await holdHashes((...given) => {
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      return realVerify(...given).finally(() => {
        running -= 1;
      });
    });
    const { ask } = await testApi({ settings: { hashing: { ...realHashing, atOnce: 2 } } });
    const attempts = Array.from({ length: 200 }, (_, index) =>
      ask('/users/authorize', {
        json: { email: `p${index}@example.com`, password: PASSWORD },
        from: `192.0.${index}.1`,
      }).then((answer) => {
        refusals += answer.status === 503 ? 1 : 0;
        if (refusals === 148) release();
        return answer;
      }),
    );
    let hashing = true;
    let reads = 0;
    const reading = (async () => {
      while (hashing) {
        if ((await ask('/products')).status === 200) reads += 1;
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const answers = await Promise.all(attempts);
    hashing = false;
    await reading;
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(52);
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused).toHaveLength(148);
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
    expect(maxRunning).toBe(2);
    // Two hashes end in one turn of the event loop at most, and each turn reads: a slow machine only has more of them.
    expect(reads).toBeGreaterThanOrEqual(25);
  });
});

const realHashing = readSettings({}).hashing;

describe('GET /accountInfo', () => {
  it('a token has 128 random bits or more', async () => {
    const { token } = await withCustomer(testApi());
    const tokens = Array.from({ length: 1_000 }, randomToken);
    expect(new Set([token, ...tokens].map(({ length }) => length))).toEqual(new Set([43]));
    // Each letter has six bits: of 1,000 random ones hardly any value is missing.
    for (let place = 0; place < 42; place += 1)
      expect(new Set(tokens.map((each) => each[place])).size).toBeGreaterThan(55);
  });

  it('only a SHA-256 of the token is stored', async () => {
    const { db, token } = await withCustomer(testApi());
    const digest = createHash('sha256').update(token).digest('base64url');
    expect(await valuesOf(db, 'SELECT token_hash FROM tokens')).toEqual([digest]);
    expect(JSON.stringify(await rowsOf(db, 'SELECT * FROM tokens'))).not.toContain(token);
    expect(JSON.stringify(await rowsOf(db, 'SELECT * FROM customers'))).not.toContain(PASSWORD);
  });
});

test('strangers of many networks who fill the lanes of new devices keep no known device out', async () => {
  const { ask, staff, services } = await adminApi({ settings: { trustedProxies: ['127.0.0.1'] } });
  const owner = await staff('owner');
  await ask('/users/register', { json: asha });
  const device = deviceIn(await ask('/users/authorize', { json: asha }));
  const release = await holdHashes();
  const form = new URLSearchParams({ email: owner.email, password: ADMIN_PASSWORD, to: '/admin' });
  const headers = { Origin: ORIGIN, 'X-Forwarded-Proto': 'https' };
  const flood = Array.from({ length: 52 }, (_, index) => {
    const from = `192.0.${index}.1`;
    return [
      ask('/users/authorize', { json: { ...asha, password: 'a guess' }, from }),
      ask('/admin/sign-in', {
        body: form,
        headers: { ...headers, 'X-Forwarded-For': from },
        from: '127.0.0.1',
      }),
    ];
  }).flat();
  const loadOf = (lane: LaneName) => Object.values(services.limits.lane(lane).load());
  await expect.poll(() => [loadOf('customersHash'), loadOf('staffHash')].flat()).toEqual([2, 50, 1, 11]);
  const right = [ask('/users/authorize', { json: { ...asha, device } }), owner.post('/admin/sign-in', form)];
  await expect.poll(() => services.limits.lane('staffHashOnKnownDevice').load().running).toBe(1);
  release();
  expect((await Promise.all(right)).map(({ status }) => status)).toEqual([200, 303]);
  await Promise.all(flood);
});
