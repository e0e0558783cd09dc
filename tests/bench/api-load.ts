import { randomUUID } from 'node:crypto';
import { ADDRESS } from '#tests/support/shop-client.ts';
import { type Call, CONNECTIONS, newAgent, send } from './api-http.ts';
import type { Target } from './api-target.ts';

const ROUND_MS = 2_000;

/** @param sent how many calls this connection has sent before */
type MakeCall = (target: Target, connection: number, sent: number) => Call;

/** The calls that are measured. Each connection sends its next call when the last one is answered. */
export const CALLS: Readonly<Record<string, MakeCall>> = {
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

export interface Measurement {
  readonly perSecond: number;
  /** ms */
  readonly p99: number;
  /** The share of the calls that a shared cache did not answer by itself. */
  readonly reached: number;
}

export const p99Of = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;

export async function load(target: Target, make: MakeCall): Promise<Measurement> {
  const agent = newAgent(CONNECTIONS);
  const started = performance.now();
  const times: number[] = [];
  let reached = 0;
  const connection = async (index: number): Promise<void> => {
    for (let sent = 0; performance.now() - started < ROUND_MS; sent += 1) {
      const url = target.urls[(index + sent) % target.urls.length] ?? '';
      const begun = performance.now();
      const { text, isCached } = await send(url, agent, make(target, index, sent));
      if (text.startsWith('{"error"')) throw new Error(`The API answered ${text}`);
      times.push(performance.now() - begun);
      if (!isCached) reached += 1;
    }
  };
  await Promise.all(target.tokens.map((_, index) => connection(index)));
  agent.destroy();
  const seconds = (performance.now() - started) / 1_000;
  return { perSecond: times.length / seconds, p99: p99Of(times), reached: reached / times.length };
}
