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

export async function measureApi({ apiUrl, productPath }: BenchShop): Promise<Row[]> {
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
  return rows;
}
