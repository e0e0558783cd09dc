import { onTestFinished } from 'vitest';
import { spawnApi } from '#tests/support/spawn-api.ts';
import { CATALOGUE } from './api.ts';

/** Starts what `npm run api` starts, on a free port, until the test ends. Resolves when it listens or has ended. */
export async function startProcess(environment: Readonly<Record<string, string>>) {
  const api = spawnApi({ CATALOGUE, ...environment });
  onTestFinished(async () => {
    api.child.kill('SIGKILL');
    await api.exited;
  });
  return { ...api, url: await api.url };
}
