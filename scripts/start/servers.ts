import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { ExplainedError } from '#server/process/explained-error.ts';
import type { Ports } from './settings.ts';

/** Whether nothing listens on a port of this computer. */
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

/** A message that names the port that is taken and what needs it; undefined when both ports are free. */
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

interface Server {
  readonly close: () => Promise<void>;
}

/** Servers that start one after the other and stop together, including one that is still starting at that moment. */
export const createServers = () => {
  const stopping = new AbortController();
  const started: Promise<Server>[] = [];
  return {
    /** Aborted as soon as `stop` is called. */
    signal: stopping.signal,
    /** @throws after `stop` was called, and what `begin` throws */
    start: async <S extends Server>(begin: () => Promise<S>): Promise<S> => {
      stopping.signal.throwIfAborted();
      const starting = begin();
      started.push(starting);
      const server = await starting;
      stopping.signal.throwIfAborted();
      return server;
    },
    stop: async (): Promise<void> => {
      stopping.abort();
      const servers = await Promise.allSettled(started);
      await Promise.all(
        servers.map((server) => (server.status === 'fulfilled' ? server.value.close() : undefined)),
      );
    },
  };
};

const PROGRAM = 'tests/support/providers/demo.ts';

const LineSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ url: v.string(), environment: v.record(v.string(), v.string()) }),
);

export interface RunningFake {
  /** The page that lists the payments that wait for an end. */
  readonly url: string;
  /** The settings with which the shop uses it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

/** Starts a fake of a provider of payments, as a program of its own. @throws ExplainedError where there is none of this name */
export async function startFakeProvider(name: string, apiOrigin: string): Promise<RunningFake> {
  const child = spawn(process.execPath, [PROGRAM, name, apiOrigin], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    const { url, environment } = v.parse(LineSchema, line);
    const close = async () => void child.kill();
    return { url, environment: { ...environment, PAYMENT_PROVIDERS: `${name},cod` }, close };
  }
  throw new ExplainedError(`The fake of '${name}' does not start.`);
}
