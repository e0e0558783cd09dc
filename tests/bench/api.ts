import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { ADDRESS } from '#tests/support/shop-client.ts';
import { startProcess } from '#tests/torture/child.ts';
import { HERE } from './commits.ts';
import { compared, type Row } from './table.ts';
import { inTurns, median } from './turns.ts';

const CONNECTIONS = 32;
const ROUNDS = 5;
const ROUND_MS = 2_000;
const SIGN_INS = 200;
const READ_BAR_MS = 100;

interface Call {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A running API with its own process and database file, and a signed-in shopper for every connection. */
interface Target {
  readonly url: string;
  readonly products: readonly string[];
  readonly tokens: readonly string[];
  readonly stop: () => Promise<void>;
}

const TokenSchema = v.object({ token: v.string() });
const ListSchema = v.object({ data: v.array(v.object({ id: v.string(), regularPrice: v.number() })) });

/** New connections for one measurement. The API would close them while they idle during another one. */
const connections = () => new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

/** Sends a request with Node's own client, because `fetch` costs as much as the server itself. */
function send(api: string, agent: Agent, { path, headers = {}, body }: Call): Promise<string> {
  const url = `${api}/api/v1/${path}`;
  const method = body === undefined ? 'GET' : 'POST';
  const text = body === undefined ? '' : JSON.stringify(body);
  const allHeaders = body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sending = request(url, { agent, method, headers: allHeaders }, (response) => {
      let answer = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        answer += chunk;
      });
      response.on('error', reject).on('end', () => resolve(answer));
    });
    sending.on('error', reject).end(text);
  });
}

async function openTarget(folder: string): Promise<Target> {
  const data = mkdtempSync(join(tmpdir(), 'bench-api-'));
  const api = await startProcess(join(data, 'shop.sqlite'), folder);
  const agent = connections();
  const ask = (call: Call) => send(api.url, agent, call);
  const list = v.parse(ListSchema, JSON.parse(await ask({ path: 'products?limit=20' })));
  const tokens = await Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, index) => {
      const account = { email: `shopper${index}@example.com`, password: 'mango-season' };
      await ask({ path: 'users/register', body: { ...account, firstName: 'Asha', lastName: 'Rao' } });
      return v.parse(TokenSchema, JSON.parse(await ask({ path: 'users/authorize', body: account }))).token;
    }),
  );
  agent.destroy();
  return {
    url: api.url,
    products: list.data.filter(({ regularPrice }) => regularPrice > 0).map(({ id }) => id),
    tokens,
    async stop() {
      await api.kill();
      rmSync(data, { recursive: true });
    },
  };
}

type MakeCall = (target: Target, connection: number) => Call;

/** The calls that are measured. Each connection sends its next call when the last one is answered. */
const CALLS: Readonly<Record<string, MakeCall>> = {
  orders: ({ products, tokens }, connection) => ({
    path: 'orders',
    headers: { Authorization: `Bearer ${tokens[connection]}`, 'Idempotency-Key': randomUUID() },
    body: {
      products: { [products[0] ?? '']: 2, [products[1 + (connection % 8)] ?? '']: 1 },
      shippingAddress: ADDRESS,
    },
  }),
  'a list of 12': () => ({ path: 'products?page=1&limit=12' }),
  'one product': ({ products }) => ({ path: `products/${products[0]}` }),
  'who is signed in': ({ tokens }, connection) => ({
    path: 'accountInfo',
    headers: { Authorization: `Bearer ${tokens[connection]}` },
  }),
};

interface Measurement {
  readonly perSecond: number;
  readonly p99: number;
}

const p99Of = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;

async function load(target: Target, make: MakeCall): Promise<Measurement> {
  const agent = connections();
  const started = performance.now();
  const times: number[] = [];
  const connection = async (index: number): Promise<void> => {
    while (performance.now() - started < ROUND_MS) {
      const sent = performance.now();
      const text = await send(target.url, agent, make(target, index));
      if (text.startsWith('{"error"')) throw new Error(`The API answered ${text}`);
      times.push(performance.now() - sent);
    }
  };
  await Promise.all(target.tokens.map((_, index) => connection(index)));
  agent.destroy();
  return { perSecond: times.length / ((performance.now() - started) / 1_000), p99: p99Of(times) };
}

/** The time within which 99 of 100 GETs are answered while 200 people sign in at once (faults 45). */
async function measureSignIns({ url }: Target): Promise<Row> {
  // The sign-ins have their own connections, so that the GETs wait for the server and not for a free connection.
  const [people, reader] = [new Agent(), connections()];
  let signingIn = true;
  const flood = Promise.all(
    Array.from({ length: SIGN_INS }, (_, index) => {
      const body = { email: `nobody${index}@example.com`, password: 'not the password' };
      return send(url, people, { path: 'users/authorize', body });
    }),
  ).finally(() => {
    signingIn = false;
  });
  const times: number[] = [];
  while (signingIn) {
    const sent = performance.now();
    await send(url, reader, { path: 'products' });
    times.push(performance.now() - sent);
  }
  await flood;
  reader.destroy();
  return {
    what: `API: a GET while ${SIGN_INS} sign in, p99`,
    value: p99Of(times),
    unit: 'ms',
    bar: READ_BAR_MS,
    note: `of ${times.length}, worst ${Math.round(Math.max(...times))} ms`,
  };
}

/** Server and client share the machine, so figures can be compared only within one run. */
export async function measureApi(other: string | undefined): Promise<Row[]> {
  const targets: Target[] = [];
  try {
    for (const folder of other === undefined ? [HERE] : [HERE, other]) targets.push(await openTarget(folder));
    const rows: Row[] = [];
    for (const [name, make] of Object.entries(CALLS)) {
      const measured = await inTurns(targets, ROUNDS, (target) => load(target, make));
      const perSecond = measured.map((rounds) => median(rounds.map((round) => round.perSecond)));
      const p99 = measured.map((rounds) => median(rounds.map((round) => round.p99)));
      rows.push(
        compared({ what: `API: ${name}`, unit: 'a second', more: true, ratioBar: 0.9 }, perSecond),
        compared({ what: `API: ${name}, p99`, unit: 'ms' }, p99),
      );
    }
    const [here] = targets;
    if (here) rows.push(await measureSignIns(here));
    return rows;
  } finally {
    for (const target of targets) await target.stop();
  }
}
