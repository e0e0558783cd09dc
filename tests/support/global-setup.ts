import { buildOnce } from './build-site.ts';
import { startCluster } from './postgres-cluster.ts';

/** Playwright runs this before all browser tests. With TEST_DATABASE=postgres their APIs store in a PostgreSQL of its own. */
export default async function setUp(): Promise<(() => Promise<void>) | undefined> {
  await buildOnce();
  if (process.env.TEST_DATABASE !== 'postgres') return undefined;
  const cluster = await startCluster();
  // The workers of Playwright inherit the environment.
  process.env.TEST_CLUSTER = cluster.address('postgres');
  return cluster.stop;
}
