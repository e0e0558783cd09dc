import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { findPostgres, startCluster } from '#tests/support/postgres-cluster.ts';
import { ADDRESS, createShopClient } from '#tests/support/shop-client.ts';
import { type ApiProcess, startProcess } from '#tests/torture/shop-processes.ts';
import { HERE } from './builds.ts';
import { inTurns, median, type Row } from './table.ts';

/** How many connections order at the same time. */
const CONNECTIONS = 32;
const ROUNDS = 5;
const ROUND_MS = 2_000;

/** Sends an order with Node's own client, because `fetch` costs as much as the server itself. */
function placeOrder(api: string, agent: Agent, token: string, products: object): Promise<void> {
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    'Idempotency-Key': randomUUID(),
  };
  return new Promise((resolve, reject) => {
    request(`${api}/api/v1/orders`, { agent, method: 'POST', headers }, async (response) => {
      const answer = await text(response);
      if (response.statusCode === 201) resolve();
      else reject(new Error(`The API answered ${answer}`));
    })
      .on('error', reject)
      .end(JSON.stringify({ products, shippingAddress: ADDRESS }));
  });
}

interface Target {
  readonly process: ApiProcess;
  readonly products: readonly string[];
  /** Of a signed-in customer for every connection. */
  readonly tokens: readonly string[];
}

async function prepare(process: ApiProcess): Promise<Target> {
  const client = createShopClient(process);
  const tokens: string[] = [];
  // One after the other, because an address may have only a share of the passwords that wait to be checked.
  while (tokens.length < CONNECTIONS) tokens.push((await client.newSignedIn()).token);
  const products = (await client.products()).filter(({ price }) => price > 0);
  const target = { process, tokens, products: products.map(({ id }) => id) };
  // Until its code is compiled, a process is half as fast.
  await order(target);
  return target;
}

/**
 * Orders for two seconds on each connection, without pauses. Returns the orders per second. The other processes are
 * paused, because they would still send the emails of their orders.
 */
async function order({ process, tokens, products }: Target): Promise<number> {
  process.resume();
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const started = performance.now();
  let orders = 0;
  const connection = async (token: string, index: number): Promise<void> => {
    while (performance.now() - started < ROUND_MS) {
      const [first = '', ...others] = products;
      await placeOrder(process.url, agent, token, { [first]: 2, [others[index % 8] ?? '']: 1 });
      orders += 1;
    }
  };
  await Promise.all(tokens.map(connection));
  agent.destroy();
  process.pause();
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
    const [here, ...others] = rounds.map(median);
    const row = (what: string, value: number | undefined) => ({
      what: `API on ${what}: orders`,
      unit: 'a second',
      value,
    });
    const sqlite = other === undefined ? row('SQLite', here) : { ...row('SQLite', here), other: others[0] };
    return cluster ? [sqlite, row('PostgreSQL', others.at(-1))] : [sqlite];
  } finally {
    await Promise.all(processes.map(({ kill }) => kill()));
    await cluster?.stop();
    rmSync(data, { recursive: true });
  }
}
