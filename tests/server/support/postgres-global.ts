import type { TestProject } from 'vitest/node';
import { migratePostgres } from '#server/db/postgres/migrate.ts';
import { startCluster } from '#tests/support/postgres-cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the database that has the shop's tables, and of which each test file makes its copies. */
    template?: string;
  }
}

/** One PostgreSQL for all test files. */
export default async function startPostgres(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCluster('off');
  const template = cluster.address('template1');
  await migratePostgres(template);
  project.provide('template', template);
  return cluster.stop;
}
