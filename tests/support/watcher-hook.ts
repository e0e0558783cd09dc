import { onTestFinished, vi } from 'vitest';
import { type HookOptions, startHookServer } from '#scripts/publish/watch/hook-server.ts';
import type { Differences, PublishingStatus } from '#server/process/publishing.ts';

export const TOKEN = 'a-token-of-the-shop-owner';

export const NO_DIFFERENCES: Differences = {
  added: [],
  removed: [],
  repriced: [],
  edited: [],
  texts: [],
  isReordered: false,
};

/** The status of a watcher that waits, with one release. */
export const IDLE: PublishingStatus = {
  state: 'idle',
  pending: false,
  failure: undefined,
  retryAt: undefined,
  live: '000001-20260104-100000',
  phase: undefined,
  checkedAt: undefined,
  checkFailure: undefined,
  releases: [
    { id: '000001-20260104-100000', at: '2026-01-04T10:00:00Z', summary: ['Added (1):', '  Mango'] },
  ],
};

/** Starts the hook of a watcher that waits and has nothing to publish, except for what the test changes. */
export async function startHook(change: Partial<HookOptions> = {}) {
  const trigger = vi.fn();
  const rollBack = vi.fn(async (_from?: string) => ({ from: '2', to: '1' }));
  const server = await startHookServer({
    token: TOKEN,
    trigger,
    rollBack,
    differences: async () => NO_DIFFERENCES,
    status: async () => IDLE,
    port: 0,
    host: '127.0.0.1',
    ...change,
  });
  onTestFinished(() => server.close());
  return { trigger, rollBack, url: `http://127.0.0.1:${server.port}` };
}
