import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadReport } from './visitors.ts';

const CHILD = fileURLToPath(new URL('./load-process.ts', import.meta.url));

export interface Load {
  /** Ends the load and tells what came of it. */
  readonly stop: () => Promise<LoadReport>;
}

/** Visits random pages of a tiny shop, `perSecond` requests a second, in a process of its own, until stopped. */
export async function startLoad(url: string, paths: readonly string[], perSecond: number): Promise<Load> {
  const child = fork(CHILD, [url, String(perSecond), ...paths]);
  await once(child, 'message');
  return {
    async stop() {
      const told = once(child, 'message');
      child.send('stop');
      const [report]: LoadReport[] = await told;
      if (!report) throw new Error('The load told nothing.');
      return report;
    },
  };
}
