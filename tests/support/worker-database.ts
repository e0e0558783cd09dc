import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

/** The address of an empty database for the API of a worker (global-setup.ts). */
export async function workerDatabase(): Promise<string> {
  const cluster = process.env.TEST_CLUSTER;
  if (!cluster) return ':memory:';
  const name = `worker_${randomUUID().replaceAll('-', '')}`;
  const client = new Client({ connectionString: cluster });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return new URL(`/${name}`, cluster).href;
}
