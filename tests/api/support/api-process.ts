import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { CATALOGUE } from './api.ts';

export interface ApiProcess {
  readonly child: ChildProcess;
  /** '' if it ended before it listened */
  readonly url: string;
  /** Resolves with the exit code first. */
  readonly exited: Promise<unknown[]>;
  readonly output: () => string;
}

/** Starts what `npm run api` starts, on a free port, until the test ends. Resolves when it listens or has ended. */
export async function startProcess(environment: Readonly<Record<string, string>>): Promise<ApiProcess> {
  const child = spawn(process.execPath, ['scripts/api/server.ts'], {
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', CATALOGUE, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  let output = '';
  const listening = new Promise<string>((resolve) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const port = /"event":"listening","port":(\d+)/.exec(output)?.[1];
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
  });
  const url = await Promise.race([listening, exited.then(() => '')]);
  return { child, url, exited, output: () => output };
}
