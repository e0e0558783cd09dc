import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { listen } from '#server/http/node-server.ts';
import { ExplainedError } from '#server/process/explained-error.ts';
import type { Ports } from './settings.ts';

/** @throws ExplainedError that names a taken port */
export async function requireFreePorts({ api, site }: Ports, host: string | undefined): Promise<void> {
  for (const port of [api, site]) {
    await using server = createServer();
    await listen(server, port, host);
  }
}

const PROGRAM = 'tests/support/providers/demo.ts';

const LineSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ url: v.string(), environment: v.record(v.string(), v.string()) }),
);

/**
 * Starts a fake payment provider in its own process. `url` is a page that lists the open payments, `environment` the
 * shop's settings for it.
 * @throws ExplainedError if there is none of this name
 */
export async function startFakeProvider(name: string, apiOrigin: string) {
  const child = spawn(process.execPath, [PROGRAM, name, apiOrigin], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    const { url, environment } = v.parse(LineSchema, line);
    const close = async () => void child.kill();
    return { url, environment: { ...environment, PAYMENT_PROVIDERS: `${name},cod` }, close };
  }
  throw new ExplainedError(`The fake of '${name}' does not start.`);
}
