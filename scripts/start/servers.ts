import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { ExplainedError } from '#server/process/explained-error.ts';
import type { Ports } from './settings.ts';

/** Whether nothing listens on a port of this machine. */
export const isPortFree = async (port: number, host: string | undefined): Promise<boolean> => {
  const server = createServer();
  try {
    server.listen({ port, ...(host === undefined ? {} : { host }) });
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return true;
  } catch {
    return false;
  }
};

/** Returns a message that names the taken port and what needs it; undefined if both ports are free. */
export async function takenPortMessage(
  { api, site }: Ports,
  host: string | undefined,
): Promise<string | undefined> {
  for (const [name, port] of [
    ['API', api],
    ['site', site],
  ] as const) {
    if (await isPortFree(port, host)) continue;
    return `Port ${port} is taken, and the ${name} needs it. Is the shop running already? Stop it and start again.`;
  }
  return undefined;
}

const PROGRAM = 'tests/support/providers/demo.ts';

const LineSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ url: v.string(), environment: v.record(v.string(), v.string()) }),
);

export interface RunningFake {
  /** The page that lists the open payments. */
  readonly url: string;
  /** The settings for the shop. */
  readonly environment: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

/** Starts a fake payment provider in its own process. @throws ExplainedError if there is none of this name */
export async function startFakeProvider(name: string, apiOrigin: string): Promise<RunningFake> {
  const child = spawn(process.execPath, [PROGRAM, name, apiOrigin], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    const { url, environment } = v.parse(LineSchema, line);
    const close = async () => void child.kill();
    return { url, environment: { ...environment, PAYMENT_PROVIDERS: `${name},cod` }, close };
  }
  throw new ExplainedError(`The fake of '${name}' does not start.`);
}
