import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));

export interface ApiProcess {
  readonly url: string;
  /** `kill -9`: the process can finish nothing and catch nothing. */
  readonly kill: () => Promise<void>;
  /** Whether `kill` was called. Its connections may break then, and only then. */
  readonly isKilled: () => boolean;
}

/**
 * Starts the API of a git checkout in a separate process, without rate limits, and waits until it has its database. Throws
 * if it ends before.
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
  const { promise: port, resolve, reject } = Promise.withResolvers<string>();
  let output = '';
  const read = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-10_000);
    const [, found] = /"event":"listening","port":(\d+)/.exec(output) ?? [];
    if (found !== undefined) resolve(found);
  };
  const streams = [child.stdout, child.stderr];
  for (const stream of streams) stream.on('data', read);
  void exited.then(() => reject(new Error(`The API ended:\n${output}`)));
  const url = `http://127.0.0.1:${await port}`;
  // From now on there is a line for each request, which nobody reads.
  for (const stream of streams) stream.off('data', read).resume();
  let killed = false;
  return {
    url,
    isKilled: () => killed,
    kill: async () => {
      killed = true;
      child.kill('SIGKILL');
      await exited;
    },
  };
}
