import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));

export interface ApiProcess {
  readonly url: string;
  /** `kill -9`: the process can finish nothing and catch nothing. */
  readonly kill: () => Promise<void>;
}

/**
 * Starts the API of a git checkout in a separate process, without rate limits, and waits until it listens. Throws if it
 * ends before.
 */
export async function startProcess(database: string, folder = CHECKOUT): Promise<ApiProcess> {
  const child = spawn(process.execPath, ['scripts/api/server.ts'], {
    cwd: folder,
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      DATABASE: database,
      LIMIT_REGISTER: '1000000',
      LIMIT_ORDERS: '1000000',
      ORDERS_LISTED: '1000000',
      LIMIT_SIGN_IN: '1000000',
      LIMIT_SIGN_IN_ADDRESS: '1000000',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-10_000);
      const port = /"event":"listening","port":(\d+)/.exec(output)?.[1];
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void exited.then(() => reject(new Error(`The API ended:\n${output}`)));
  });
  return {
    url,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
