import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));

/** The options of Node in the scripts of package.json that start the server. */
export const NODE_ARGUMENTS = ['--import', './src/server/process/tsx.ts'];

/** The arguments of Node in `npm run api` of a checkout, because older ones start otherwise. */
function apiArguments(folder: string): string[] {
  const { scripts }: { scripts: { api: string } } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  return scripts.api.split(' ').slice(1);
}

/** Starts what `npm run api` starts, on a free port. @param folder a checkout of the repository */
export function spawnApi(environment: NodeJS.Dict<string>, folder = CHECKOUT) {
  const child = spawn(process.execPath, apiArguments(folder), {
    cwd: folder,
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'close');
  const streams = [child.stdout, child.stderr];
  const listening = Promise.withResolvers<string>();
  let output = '';
  const read = (chunk: Buffer): void => {
    output += chunk.toString();
    const port = /"event":"listening","port":(\d+)/.exec(output)?.[1];
    if (port !== undefined) listening.resolve(`http://127.0.0.1:${port}`);
  };
  for (const stream of streams) stream.on('data', read);
  return {
    child,
    /** Resolves when it listens, or with '' if it ended before. */
    url: Promise.race([listening.promise, exited.then(() => '')]),
    /** Resolves with the exit code first, when all output was read. */
    exited,
    output: () => output,
    /** Drops the output from now on. Under load it is a line for each request. */
    ignoreOutput: () => {
      for (const stream of streams) stream.off('data', read).resume();
    },
  };
}
