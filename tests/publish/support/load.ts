import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadReport } from './visitors.ts';

const CHILD = fileURLToPath(new URL('./load-process.ts', import.meta.url));

export interface Load {
  /** Ends the load and returns its report. */
  readonly stop: () => Promise<LoadReport>;
}

/** Visits random pages of a tiny shop in a separate process, with `perSecond` requests a second, until stopped. */
export async function startLoad(url: string, paths: readonly string[], perSecond: number): Promise<Load> {
  const child = fork(CHILD, [url, String(perSecond), ...paths]);
  await once(child, 'message');
  return {
    async stop() {
      const reported = once(child, 'message');
      child.send('stop');
      const [report]: LoadReport[] = await reported;
      if (!report) throw new Error('The load sent no report.');
      return report;
    },
  };
}
