import { Agent, get } from 'node:http';
import type { BenchShop } from './shop.ts';
import type { Row } from './table.ts';

const CONNECTIONS = 32;
const DURATION_MS = 3_000;

function request(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume().on('end', resolve).on('error', reject);
    }).on('error', reject);
  });
}

/** Requests a second over loopback, from this very process: server and client share the machine. */
async function throughput(url: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const until = performance.now() + DURATION_MS;
  let done = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() < until) {
      await request(url, agent);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  agent.destroy();
  return done / (DURATION_MS / 1_000);
}

const SIGN_INS = 200;
const READ_BAR_MS = 100;

/** How long 99 of 100 GETs take while 200 people sign in at once (faults 45). */
export async function measureSignIns({ apiUrl }: Pick<BenchShop, 'apiUrl'>): Promise<Row> {
  const signIn = async (index: number): Promise<void> => {
    const body = JSON.stringify({ email: `nobody${index}@example.com`, password: 'not the password' });
    const headers = { 'Content-Type': 'application/json' };
    await (await fetch(`${apiUrl}/api/v1/users/authorize`, { method: 'POST', headers, body })).text();
  };
  let signingIn = true;
  const flood = Promise.all(Array.from({ length: SIGN_INS }, (_, index) => signIn(index))).finally(() => {
    signingIn = false;
  });
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  while (signingIn) {
    const started = performance.now();
    await request(`${apiUrl}/api/v1/products`, agent);
    times.push(performance.now() - started);
  }
  await flood;
  agent.destroy();
  times.sort((a, b) => a - b);
  return {
    what: `API: a GET while ${SIGN_INS} sign in, p99`,
    value: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
    unit: 'ms',
    bar: READ_BAR_MS,
    note: `of ${times.length}, worst ${Math.round(times.at(-1) ?? Number.NaN)} ms`,
  };
}

export async function measureApi(shop: BenchShop): Promise<Row[]> {
  const { apiUrl, productPath } = shop;
  const id = productPath.split('/').at(-1);
  const calls = {
    'a list of 12': 'products?page=1&limit=12',
    'one product': `products/${id}`,
    'store info': 'storeInfo',
  };
  const rows: Row[] = [];
  for (const [name, path] of Object.entries(calls)) {
    rows.push({ what: `API: ${name}`, value: await throughput(`${apiUrl}/api/v1/${path}`), unit: 'req/s' });
  }
  rows.push(await measureSignIns(shop));
  return rows;
}
