import * as v from 'valibot';
import { beforeAll, expect, it } from 'vitest';
import { endOfGroup } from '#tests/publish/support/temporary-folder.ts';
import { MANGO } from '#tests/server/support/api.ts';
import { emptyDatabase, queryAt } from '#tests/server/support/databases.ts';
import { CardAction, METHODS } from '#tests/server/support/payments.ts';
import { startProcess } from '#tests/server/support/running-api.ts';
import { createShopClient } from '#tests/support/shop-client.ts';

/* Three processes of the API on one PostgreSQL, without sticky sessions. */
let database: string;
let all: string[];
const atEnd = endOfGroup();
beforeAll(async () => {
  database = await emptyDatabase();
  const start = () => startProcess({ DATABASE: database }, atEnd);
  const processes = await Promise.all([start(), start(), start()]);
  all = processes.map(({ url }) => url);
});

const post = (url: string, path: string, body: unknown, token = '') =>
  createShopClient({ url }).send(path, { body, token });

it('ten wrong sign-ins spread over three processes block the eleventh at each of them', async () => {
  const wrong = { email: 'asha@example.com', password: 'wrong-password' };
  const fail = (at: number) => post(all[at % 3] ?? '', 'users/authorize', wrong);
  for (let at = 0; at < 10; at += 1) expect((await fail(at)).status).toBe(401);
  for (let at = 0; at < 3; at += 1) {
    const refused = await fail(at);
    const wait = Number(refused.headers.get('retry-after'));
    expect([refused.status, wait > 0 && wait <= 900]).toEqual([429, true]);
  }

  // Only hashes of the email and of the caller's address are stored.
  const rows = await queryAt(database, 'SELECT key FROM rate_limits');
  expect(rows.length).toBeGreaterThan(10);
  for (const { key } of rows) expect(key).toMatch(/^[\w-]{43}$/);
});

it('a card payment starts at one process, is shown by a second and ends at a third', async () => {
  const [first = '', second = '', third = ''] = all;
  const client = createShopClient({ url: first });
  const shopper = await client.newSignedIn();
  const { id } = await client.order(shopper, { quantities: { [MANGO]: 2 } });
  const payment = { orderId: id, fields: { method: METHODS.card } };
  const submitted = await post(first, 'payments', payment, shopper.token);
  const { action } = v.parse(CardAction, await submitted.json());
  const form = (fields: object) => ({ method: 'POST', body: new URLSearchParams(Object.entries(fields)) });
  const shown = Object.entries(action.formParams.data).map(([name, value]) => [`data[${name}]`, value]);
  expect((await fetch(`${second}/gateway/pay`, form(Object.fromEntries(shown)))).status).toBe(200);
  const result = { tr: action.formParams.data.reference, outcome: 'succeeded' };
  const ended = await fetch(`${third}/gateway/pay/result`, { ...form(result), redirect: 'manual' });
  expect(ended.status).toBe(303);
  expect((await createShopClient({ url: second }).orders(shopper))[0]?.status).toBe(1);
});
