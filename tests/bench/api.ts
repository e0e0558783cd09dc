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

interface Target {
  readonly process: ApiProcess;
  readonly products: readonly string[];
  /** Of a signed-in customer for every connection. */
  readonly tokens: readonly string[];
}

interface Call {
  readonly agent: Agent;
  readonly token: string;
  /** The number of the connection. */
  readonly index: number;
}

/** Sends a request to /orders with Node's own client, because `fetch` costs as much as the server itself. */
function call(url: string, { agent, token }: Call, method: string, body = ''): Promise<void> {
  const headers = {
    Authorization: `Bearer ${token}`,
    ...(body && { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() }),
  };
  return new Promise((resolve, reject) => {
    request(`${url}/api/v1/orders`, { agent, method, headers }, async (response) => {
      const answer = await text(response);
      if (response.statusCode === (body ? 201 : 200)) resolve();
      else reject(new Error(`The API answered ${answer}`));
    })
      .on('error', reject)
      .end(body);
  });
}

function placeOrder({ process, products }: Target, connection: Call): Promise<void> {
  const [first = '', ...others] = products;
  const ordered = { [first]: 2, [others[connection.index % 8] ?? '']: 1 };
  return call(
    process.url,
    connection,
    'POST',
    JSON.stringify({ products: ordered, shippingAddress: ADDRESS }),
  );
}

/** The customers have more orders by then than a page has, 50. */
const readPage = ({ process }: Target, connection: Call): Promise<void> =>
  call(process.url, connection, 'GET');

/**
 * Sends requests for two seconds on each connection, without pauses. Returns how many were answered in a second. The other
 * processes are paused, because they would still send the emails of their orders.
 */
const rateOf =
  (send: typeof placeOrder) =>
  async (target: Target): Promise<number> => {
    target.process.resume();
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    const started = performance.now();
    let answers = 0;
    const connection = async (token: string, index: number): Promise<void> => {
      while (performance.now() - started < ROUND_MS) {
        await send(target, { agent, token, index });
        answers += 1;
      }
    };
    await Promise.all(target.tokens.map(connection));
    agent.destroy();
    target.process.pause();
    return answers / ((performance.now() - started) / 1_000);
  };

async function prepare(process: ApiProcess): Promise<Target> {
  const client = createShopClient(process);
  const tokens: string[] = [];
  // One after the other, because an address may have only a share of the passwords that wait to be checked.
  while (tokens.length < CONNECTIONS) tokens.push((await client.newSignedIn()).token);
  const products = (await client.products()).filter(({ price }) => price > 0);
  const target = { process, tokens, products: products.map(({ id }) => id) };
  // Until its code is compiled, a process is half as fast.
  await rateOf(placeOrder)(target);
  return target;
}

const FIGURES = { orders: placeOrder, 'pages of 50 orders': readPage };

/** Measures a process of each checkout, in turns. */
async function measureOn(name: string, databases: readonly string[], folders: readonly string[]) {
  const processes: ApiProcess[] = [];
  try {
    const targets: Target[] = [];
    for (const [index, folder] of folders.entries()) {
      const process = await startProcess(databases[index] ?? '', {}, folder);
      processes.push(process);
      targets.push(await prepare(process));
    }
    const rows: Row[] = [];
    for (const [figure, send] of Object.entries(FIGURES)) {
      const [value, other] = (await inTurns(targets, ROUNDS, rateOf(send))).map(median);
      rows.push({ what: `API on ${name}: ${figure}`, unit: 'a second', value, other });
    }
    return rows;
  } finally {
    await Promise.all(processes.map(({ kill }) => kill()));
  }
}

/** Measures on both databases if PostgreSQL is there. @param other another checkout to compare with */
export async function measureApi(other: string | undefined): Promise<Row[]> {
  const folders = other === undefined ? [HERE] : [HERE, other];
  const data = mkdtempSync(join(tmpdir(), 'bench-api-'));
  const cluster = findPostgres() === undefined ? undefined : await startCluster();
  try {
    const files = folders.map((_, index) => join(data, `${index}.sqlite`));
    const rows = await measureOn('SQLite', files, folders);
    if (cluster)
      rows.push(...(await measureOn('PostgreSQL', ['postgres', 'template1'].map(cluster.address), folders)));
    return rows;
  } finally {
    await cluster?.stop();
    rmSync(data, { recursive: true });
  }
}
