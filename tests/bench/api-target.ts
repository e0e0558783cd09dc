import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import * as v from 'valibot';
import type { Cluster } from '#tests/support/postgres-cluster.ts';
import { type ApiProcess, startProcess } from '#tests/torture/child.ts';
import { CONNECTIONS, newAgent, send } from './api-http.ts';

/** What is asked: API processes with their database. */
export interface Target {
  readonly name: string;
  /** Each call goes to the next one. */
  readonly urls: readonly string[];
  readonly products: readonly string[];
  /** A signed-in shopper for every connection. */
  readonly tokens: readonly string[];
  readonly stop: () => Promise<void>;
}

const TokenSchema = v.object({ token: v.string() });
const ListSchema = v.object({ data: v.array(v.object({ id: v.string(), regularPrice: v.number() })) });

/** Starts processes on an empty database. @param start starts one of them */
async function openTarget(name: string, count: number, start: () => Promise<ApiProcess>): Promise<Target> {
  const processes = await Promise.all(Array.from({ length: count }, start));
  const urls = processes.map(({ url }) => url);
  const agent = newAgent(CONNECTIONS);
  const ask = async (path: string, body?: unknown) => {
    const { text } = await send(urls[0] ?? '', agent, { path, body });
    return JSON.parse(text);
  };
  const list = v.parse(ListSchema, await ask('products?limit=20'));
  const tokens: string[] = [];
  // One after the other: of the passwords that wait to be checked, one address may have a share only.
  while (tokens.length < CONNECTIONS) {
    const account = { email: `shopper${tokens.length}@example.com`, password: 'mango-season' };
    await ask('users/register', { ...account, firstName: 'Asha', lastName: 'Rao' });
    tokens.push(v.parse(TokenSchema, await ask('users/authorize', account)).token);
  }
  agent.destroy();
  return {
    name,
    urls,
    products: list.data.filter(({ regularPrice }) => regularPrice > 0).map(({ id }) => id),
    tokens,
    stop: async () => void (await Promise.all(processes.map(({ kill }) => kill()))),
  };
}

/** One process on an SQLite file. @param folder the checkout whose API it is */
export async function openSqliteTarget(folder: string): Promise<Target> {
  const data = mkdtempSync(join(tmpdir(), 'bench-api-'));
  const target = await openTarget('SQLite', 1, () => startProcess(join(data, 'shop.sqlite'), {}, folder));
  return {
    ...target,
    async stop() {
      await target.stop();
      rmSync(data, { recursive: true });
    },
  };
}

/** Processes on a database of their own in a PostgreSQL server. */
export async function openPostgresTarget(cluster: Cluster, count: number): Promise<Target> {
  const database = `shop${count}`;
  const client = new Client({ connectionString: cluster.address('postgres') });
  await client.connect();
  await client.query(`CREATE DATABASE ${database}`);
  await client.end();
  const name = `PostgreSQL, ${count} ${count === 1 ? 'process' : 'processes'}`;
  return openTarget(name, count, () => startProcess(cluster.address(database)));
}
