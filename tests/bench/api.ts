import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { findPostgres, startCluster } from '#tests/support/postgres-cluster.ts';
import { ADDRESS } from '#tests/support/shop-client.ts';
import { type ApiProcess, startProcess } from '#tests/torture/api-process.ts';
import { HERE } from './builds.ts';
import { inTurns, median, type Row } from './table.ts';

/** How many connections order at the same time. */
const CONNECTIONS = 32;
const ROUNDS = 5;
const ROUND_MS = 2_000;

interface Call {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Sends a call with Node's own client, because `fetch` costs as much as the server itself. */
function send(api: string, agent: Agent, { path, headers, body }: Call): Promise<unknown> {
  const text = body === undefined ? '' : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sending = request(
      `${api}/api/v1/${path}`,
      { agent, method: text ? 'POST' : 'GET', headers: { ...headers, 'Content-Type': 'application/json' } },
      (response) => {
        let answer = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          answer += chunk;
        });
        response.on('error', reject).on('end', () => {
          if ((response.statusCode ?? 500) >= 400) reject(new Error(`The API answered ${answer}`));
          else resolve(JSON.parse(answer));
        });
      },
    );
    sending.on('error', reject).end(text);
  });
}

const TokenSchema = v.object({ token: v.string() });
const ListSchema = v.object({ data: v.array(v.object({ id: v.string(), regularPrice: v.number() })) });

interface Target {
  readonly url: string;
  readonly products: readonly string[];
  /** A signed-in customer for every connection. */
  readonly tokens: readonly string[];
}

async function prepare({ url }: ApiProcess): Promise<Target> {
  const agent = new Agent({ keepAlive: true });
  const tokens: string[] = [];
  // One after the other: of the passwords that wait to be checked, one address may have a share only.
  while (tokens.length < CONNECTIONS) {
    const account = { email: `shopper${tokens.length}@example.com`, password: 'mango-season' };
    await send(url, agent, {
      path: 'users/register',
      body: { ...account, firstName: 'Asha', lastName: 'Rao' },
    });
    const signedIn = await send(url, agent, { path: 'users/authorize', body: account });
    tokens.push(v.parse(TokenSchema, signedIn).token);
  }
  const { data } = v.parse(ListSchema, await send(url, agent, { path: 'products?limit=20' }));
  agent.destroy();
  return { url, tokens, products: data.filter(({ regularPrice }) => regularPrice > 0).map(({ id }) => id) };
}

/** Orders for two seconds, each connection again as soon as it has its answer. Returns the orders a second. */
async function order({ url, tokens, products }: Target): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const started = performance.now();
  let orders = 0;
  const connection = async (token: string, index: number): Promise<void> => {
    while (performance.now() - started < ROUND_MS) {
      await send(url, agent, {
        path: 'orders',
        headers: { Authorization: `Bearer ${token}`, 'Idempotency-Key': randomUUID() },
        body: {
          products: { [products[0] ?? '']: 2, [products[1 + (index % 8)] ?? '']: 1 },
          shippingAddress: ADDRESS,
        },
      });
      orders += 1;
    }
  };
  await Promise.all(tokens.map(connection));
  agent.destroy();
  return orders / ((performance.now() - started) / 1_000);
}

/** Measures one process on SQLite, with another commit's in turns, and one on PostgreSQL where there is one. */
export async function measureApi(other: string | undefined): Promise<Row[]> {
  const data = mkdtempSync(join(tmpdir(), 'bench-api-'));
  const folders = other === undefined ? [HERE] : [HERE, other];
  const processes = await Promise.all(
    folders.map((folder, index) => startProcess(join(data, `${index}.sqlite`), {}, folder)),
  );
  const cluster = findPostgres() === undefined ? undefined : await startCluster();
  if (cluster) processes.push(await startProcess(cluster.address('postgres')));
  try {
    const targets: Target[] = [];
    for (const process of processes) targets.push(await prepare(process));
    const rounds = await inTurns(targets, ROUNDS, order);
    const values = rounds.map(median);
    const row = (what: string, value = Number.NaN, compared?: number): Row => ({
      what: `API on ${what}: orders`,
      unit: 'a second',
      value,
      other: compared,
    });
    const sqlite = row('SQLite', values[0], other === undefined ? undefined : values[1]);
    return cluster ? [sqlite, row('PostgreSQL', values.at(-1))] : [sqlite];
  } finally {
    await Promise.all(processes.map(({ kill }) => kill()));
    await cluster?.stop();
    rmSync(data, { recursive: true });
  }
}
