import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { type Browser, type Command, until } from './driver.ts';

const COMMANDS: Readonly<Record<Command, string>> = {
  open: 'WebDriver:Navigate',
  address: 'WebDriver:GetCurrentURL',
  run: 'WebDriver:ExecuteScript',
  click: 'WebDriver:ElementClick',
  type: 'WebDriver:ElementSendKeys',
  back: 'WebDriver:Back',
  reload: 'WebDriver:Refresh',
  tab: 'WebDriver:NewWindow',
  switch: 'WebDriver:SwitchToWindow',
  current: 'WebDriver:GetWindowHandle',
};

const AnswerSchema = v.tuple([
  v.literal(1),
  v.number(),
  v.nullable(v.object({ message: v.string() })),
  v.unknown(),
]);
const ValueSchema = v.object({ value: v.unknown() });
const SessionSchema = v.object({ capabilities: v.object({ browserVersion: v.string() }) });

/** Marionette, which every Firefox speaks: `length:[0, id, command, parameters]`, answered by `[1, id, error, result]`. */
function marionette(socket: Socket) {
  const waiting = new Map<number, (answer: v.InferOutput<typeof AnswerSchema>) => void>();
  let [buffered, last] = [Buffer.alloc(0), 0];
  socket.on('data', (chunk: Buffer) => {
    buffered = Buffer.concat([buffered, chunk]);
    for (let colon = buffered.indexOf(':'); colon > 0; colon = buffered.indexOf(':')) {
      const end = colon + 1 + Number(buffered.subarray(0, colon));
      if (buffered.length < end) return;
      const message: unknown = JSON.parse(buffered.subarray(colon + 1, end).toString());
      buffered = buffered.subarray(end);
      const answer = v.safeParse(AnswerSchema, message);
      if (answer.success) waiting.get(answer.output[1])?.(answer.output);
    }
  });
  return async (command: string, parameters: unknown): Promise<unknown> => {
    last += 1;
    const message = JSON.stringify([0, last, command, parameters]);
    const id = last;
    const answer = new Promise<v.InferOutput<typeof AnswerSchema>>((resolve) => waiting.set(id, resolve));
    socket.write(`${Buffer.byteLength(message)}:${message}`);
    const [, , error, result] = await answer;
    waiting.delete(id);
    if (error) throw new Error(error.message);
    return result;
  };
}

const preferences = (proxy: string): string => {
  const { hostname, port } = new URL(proxy);
  return Object.entries({
    'marionette.port': 0,
    'network.proxy.type': 1,
    'network.proxy.http': hostname,
    'network.proxy.http_port': Number(port),
    'network.proxy.ssl': hostname,
    'network.proxy.ssl_port': Number(port),
    'network.proxy.allow_hijacking_localhost': true,
    'browser.shell.checkDefaultBrowser': false,
    'browser.startup.page': 0,
    'datareporting.policy.dataSubmissionEnabled': false,
    'app.update.enabled': false,
    'ui.prefersReducedMotion': 1,
  })
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`)
    .join('\n');
};

/** Starts a Firefox of the system with a profile of its own. */
export async function openFirefox(program: string, proxy: string): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'firefox-'));
  writeFileSync(join(profile, 'user.js'), preferences(proxy));
  const child = spawn(program, ['--headless', '--marionette', '--profile', profile], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  const close = async (): Promise<void> => {
    child.kill();
    await exited;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    const port = await until('Firefox listens', async () =>
      Number(readFileSync(join(profile, 'MarionetteActivePort'), 'utf8')),
    );
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const ask = marionette(socket);
    const session = v.parse(SessionSchema, await ask('WebDriver:NewSession', {}));
    return {
      name: 'Firefox',
      version: session.capabilities.browserVersion,
      send: async (command, parameters = {}) => {
        const result = await ask(COMMANDS[command], parameters);
        return v.is(ValueSchema, result) ? result.value : result;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
