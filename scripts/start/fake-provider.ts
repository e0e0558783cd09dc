import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { ExplainedError } from '#scripts/program/explained-error.ts';

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
