import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as v from 'valibot';
import { type Browser, type Command, until } from './driver.ts';

type Route = readonly [method: 'GET' | 'POST' | 'DELETE', path: string];

const ROUTES: Readonly<Record<Command, Route>> = {
  open: ['POST', '/url'],
  address: ['GET', '/url'],
  run: ['POST', '/execute/sync'],
  click: ['POST', '/element/{id}/click'],
  type: ['POST', '/element/{id}/value'],
  back: ['POST', '/back'],
  reload: ['POST', '/refresh'],
  tab: ['POST', '/window/new'],
  switch: ['POST', '/window'],
  current: ['GET', '/window'],
};

const AnswerSchema = v.object({ value: v.unknown() });
const ErrorSchema = v.object({ error: v.string(), message: v.string() });
const SessionSchema = v.object({
  sessionId: v.string(),
  capabilities: v.object({ browserVersion: v.string() }),
});

/** @throws Error with the driver's words where it refuses */
async function ask(url: string, method: Route[0], parameters: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method,
    ...(method === 'POST' ? { body: JSON.stringify(parameters) } : {}),
  });
  const { value } = v.parse(AnswerSchema, await response.json());
  if (v.is(ErrorSchema, value)) throw new Error(value.message || value.error);
  return value;
}

const port = 20_000 + (process.pid % 20_000);

/** Starts WebKitWebDriver, which starts a browser of WebKitGTK by itself. */
export async function openWebKit(program: string, miniBrowser: string, proxy: string): Promise<Browser> {
  const child = spawn(program, [`--port=${port}`, '--host=127.0.0.1'], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  const driver = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    child.kill();
    await exited;
  };
  try {
    await until('WebKitWebDriver listens', async () => (await fetch(`${driver}/status`)).ok);
    const { host } = new URL(proxy);
    const alwaysMatch = {
      proxy: { proxyType: 'manual', httpProxy: host, sslProxy: host },
      'webkitgtk:browserOptions': { binary: miniBrowser, args: ['--automation'] },
    };
    const created = await ask(`${driver}/session`, 'POST', { capabilities: { alwaysMatch } });
    const { sessionId, capabilities } = v.parse(SessionSchema, created);
    const session = `${driver}/session/${sessionId}`;
    const send: Browser['send'] = (command, { id, ...parameters } = {}) => {
      const [method, path] = ROUTES[command];
      return ask(session + path.replace('{id}', String(id)), method, parameters);
    };
    return {
      name: 'WebKitGTK',
      version: capabilities.browserVersion,
      send,
      close: async () => {
        await ask(session, 'DELETE', {}).catch(() => undefined);
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
