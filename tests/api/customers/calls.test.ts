import { createHash } from 'node:crypto';
import { verify } from '@node-rs/argon2';
import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';
import { API_CALLS } from '#scripts/api/app/calls.ts';
import { randomIds } from '#scripts/api/shop/ids.ts';
import { readSettings } from '#scripts/api/shop/settings.ts';
import { PASSWORD, testApi } from '#tests/api/support/api.ts';
import { bitsThatVary } from '#tests/api/support/bits.ts';
import { anyRow } from '#tests/api/support/rows.ts';
import { limitedApi } from '#tests/api/support/standing-date.ts';

vi.mock('@node-rs/argon2', async (original) => {
  const argon2 = await original<typeof import('@node-rs/argon2')>();
  return { ...argon2, verify: vi.fn(argon2.verify) };
});

/** What a hash says of the work that it takes. */
const costOf = (hash: string): string => hash.split('$').slice(1, 4).join('$');

const asha = { email: 'asha@example.com', password: PASSWORD, firstName: 'Asha', lastName: 'Rao' };
const MINUTE = 60_000;

describe('POST /users/register', () => {
  it('[fault 41] five an hour from one address, failures not counted', async () => {
    const { ask, pass } = await limitedApi();
    const register = (index: number, from: string) =>
      ask('/users/register', { json: { ...asha, email: `p${index}@example.com` }, from });
    for (let index = 0; index < 5; index += 1) {
      expect((await register(index, '192.0.2.1')).status).toBe(201);
      expect((await register(index, '192.0.2.1')).status).toBe(index === 4 ? 429 : 422);
    }
    const refused = await register(5, '192.0.2.1');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600']);
    expect((await register(6, '192.0.2.2')).status).toBe(201);
    pass(60 * MINUTE);
    expect((await register(7, '192.0.2.1')).status).toBe(201);
  });

  it('[fault 73] what else is in the body is ignored', async () => {
    const { ask, db, now } = await testApi();
    await ask('/users/register', { json: { ...asha, id: 'mine', role: 'admin', createdAt: 0 } });
    const ignored = { id: expect.not.stringMatching('mine'), created_at: now() };
    expect(await db.all(anyRow, 'SELECT * FROM users')).toEqual([expect.objectContaining(ignored)]);
  });
});

describe('POST /users/authorize', () => {
  it('[fault 40] an unknown email and a wrong password get the same status, bytes and work', async () => {
    const { ask } = await testApi({ settings: { hashing: realHashing } });
    await ask('/users/register', { json: asha });
    vi.mocked(verify).mockClear();
    const wrong = () => ask('/users/authorize', { json: { ...asha, password: 'wrong-password' } });
    const unknown = () =>
      ask('/users/authorize', { json: { email: 'nobody@example.com', password: PASSWORD } });
    const [a, b] = [await wrong(), await unknown()];
    expect([a.status, a.json]).toEqual([401, { error: 'Invalid email or password.' }]);
    expect([b.status, b.text, [...b.headers]]).toEqual([a.status, a.text, [...a.headers]]);

    // The work is all argon2's: as many hashes, of the same cost.
    const [known, ...others] = vi.mocked(verify).mock.calls.map(([hash]) => costOf(String(hash)));
    expect(known).toMatch(/m=\d+,t=\d+,p=1/);
    expect(others).toEqual([known]);
  });

  it('[fault 39] the 11th failure in 15 minutes for an email and address is a 429, for unknown emails too', async () => {
    const { ask, pass } = await limitedApi();
    await ask('/users/register', { json: asha });
    for (const email of [asha.email, 'nobody@example.com']) {
      const fail = () => ask('/users/authorize', { json: { email, password: 'wrong-password' } });
      for (let attempt = 0; attempt < 10; attempt += 1) expect((await fail()).status).toBe(401);
      pass(MINUTE);
      const refused = await fail();
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '840']);
      expect(refused.json).toEqual({ error: 'Too many attempts. Please try again in 840 seconds.' });
    }
    const right = (from: string) => ask('/users/authorize', { json: asha, from });
    expect((await right('203.0.113.7')).status).toBe(429);
    expect((await right('203.0.113.8')).status).toBe(200);
    pass(14 * MINUTE);
    expect((await right('203.0.113.7')).status).toBe(200);
  });

  it('[fault 39] successes do not count, and a burst does not slip past', async () => {
    const { ask } = await testApi();
    await ask('/users/register', { json: asha });
    for (let attempt = 0; attempt < 12; attempt += 1) {
      expect((await ask('/users/authorize', { json: asha })).status).toBe(200);
    }
    const burst = await Promise.all(
      Array.from({ length: 20 }, () =>
        ask('/users/authorize', { json: { ...asha, password: 'wrong-password' } }),
      ),
    );
    expect(burst.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(burst.filter(({ status }) => status === 429)).toHaveLength(10);
  });

  it('[fault 39] X-Forwarded-For counts only when a configured proxy wrote it', async () => {
    const fail = (api: Awaited<ReturnType<typeof testApi>>, forwarded: string, from: string) =>
      api.ask('/users/authorize', {
        json: { email: 'nobody@example.com', password: 'wrong-password' },
        headers: { 'X-Forwarded-For': forwarded },
        from,
      });
    const direct = await testApi();
    for (let attempt = 0; attempt < 10; attempt += 1) await fail(direct, `192.0.2.${attempt}`, '203.0.113.7');
    expect((await fail(direct, '192.0.2.99', '203.0.113.7')).status).toBe(429);

    const proxied = await testApi({ settings: { trustedProxies: ['10.0.0.1'] } });
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await fail(proxied, `192.0.2.${attempt}, 198.51.100.1`, '::ffff:10.0.0.1');
    }
    expect((await fail(proxied, '192.0.2.77, 198.51.100.1', '10.0.0.1')).status).toBe(429);
    expect((await fail(proxied, '198.51.100.2', '10.0.0.1')).status).toBe(401);
  });

  it('[fault 39] an IPv6 caller is its /64', async () => {
    const { ask } = await testApi();
    const fail = (from: string) =>
      ask('/users/authorize', { json: { email: 'nobody@example.com', password: 'wrong-password' }, from });
    for (let attempt = 0; attempt < 10; attempt += 1) await fail(`2001:db8:1:2::${attempt}`);
    expect((await fail('2001:0db8:1:2:ffff::1')).status).toBe(429);
    expect((await fail('2001:db8:1:3::1')).status).toBe(401);
  });

  it('[fault 45] of 200 at once 52 are hashed, two at a time, the rest are told to come back, and reading goes on', async () => {
    const argon2 = await vi.importActual<typeof import('@node-rs/argon2')>('@node-rs/argon2');
    let running = 0;
    let mostRunning = 0;
    let refusals = 0;
    const everybodyCame = Promise.withResolvers<void>();
    vi.mocked(verify).mockImplementation(async (...given) => {
      await everybodyCame.promise;
      running += 1;
      mostRunning = Math.max(mostRunning, running);
      return argon2.verify(...given).finally(() => {
        running -= 1;
      });
    });
    const { ask } = await testApi({ settings: { hashing: realHashing } });
    const attempts = Array.from({ length: 200 }, (_, index) =>
      ask('/users/authorize', {
        json: { email: `p${index}@example.com`, password: PASSWORD },
        from: `192.0.2.${index}`,
      }).then((answer) => {
        refusals += answer.status === 503 ? 1 : 0;
        if (refusals === 148) everybodyCame.resolve();
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
    expect(mostRunning).toBe(2);
    // Two hashes end in one turn of the event loop at most, and each turn reads: a slow machine only has more of them.
    expect(reads).toBeGreaterThanOrEqual(25);
  });
});

const realHashing = readSettings({}).hashing;

describe('calls that need a token', () => {
  it('[spec 6.roles.5] are a 401 without one, and with a wrong one', async () => {
    const { ask } = await testApi();
    const guarded = API_CALLS.filter(({ access }) => access === 'bearer');
    expect(guarded.length).toBeGreaterThan(4);
    for (const { method, path } of guarded) {
      const body = method === 'POST' ? { json: {} } : {};
      expect((await ask(path, { method, ...body })).status, `${method} ${path}`).toBe(401);
      expect((await ask(path, { method, ...body, token: 'wrong' })).status, `${method} ${path}`).toBe(401);
    }
  });
});

describe('GET /accountInfo', () => {
  it('[fault 43] a token has 128 random bits or more', async () => {
    const { customer } = await testApi();
    const { token } = await customer();
    const tokens = Array.from({ length: 1_000 }, () => randomIds.token());
    expect(new Set([token, ...tokens].map(({ length }) => length)).size).toBe(1);
    expect(bitsThatVary(tokens.map((each) => Buffer.from(each, 'base64url')))).toBeGreaterThanOrEqual(128);
  });

  it('[fault 43] only a SHA-256 of the token is stored', async () => {
    const { customer, db } = await testApi();
    const { token } = await customer();
    const stored = await db.get(v.object({ hash: v.string() }), 'SELECT token_hash AS hash FROM sessions');
    const digest = createHash('sha256').update(token).digest();
    expect(Buffer.from(stored?.hash ?? '', 'base64url').equals(digest)).toBe(true);
    expect(JSON.stringify(await db.all(anyRow, 'SELECT * FROM sessions'))).not.toContain(token);
    expect(JSON.stringify(await db.all(anyRow, 'SELECT * FROM users'))).not.toContain(PASSWORD);
  });
});
