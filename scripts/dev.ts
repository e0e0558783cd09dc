/**
 * `npm run dev`: the reference API with the demo catalogue, begun anew when its code changes, and Astro's development
 * server beside it. With `--port` and `--api-port` they take other ports than the shop's.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isPortFree } from './start/port.ts';
import { API_PORT, apiEnvironment, SITE_PORT, siteSettings } from './start/settings.ts';

const HOST = '127.0.0.1';
const ASTRO = 'node_modules/astro/bin/astro.mjs';

if (existsSync('.env')) process.loadEnvFile('.env');

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: String(SITE_PORT) },
    'api-port': { type: 'string', default: String(API_PORT) },
  },
});
const ports = { site: values.port, api: values['api-port'] };
const apiOrigin = `http://localhost:${ports.api}`;

const children: ChildProcess[] = [];
const stop = (): void => {
  for (const child of children) child.kill();
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);

function run(args: readonly string[], env: NodeJS.ProcessEnv, output: 'inherit' | 'pipe'): ChildProcess {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', output, 'inherit'],
  });
  children.push(child);
  // One server is of no use without the other.
  child.on('exit', (code) => {
    process.exitCode ??= code ?? 0;
    stop();
  });
  return child;
}

/** Settles when the API listens for the first time. Its log is passed on. */
async function startApi(): Promise<void> {
  const env = {
    ...apiEnvironment(process.env),
    HOST,
    PORT: ports.api,
    API_ORIGIN: apiOrigin,
    SITE_ORIGIN: [`http://localhost:${ports.site}`, `http://${HOST}:${ports.site}`].join(','),
  };
  const { stdout } = run(['--watch', '--watch-preserve-output', 'scripts/api/server.ts'], env, 'pipe');
  await new Promise<void>((resolve) => {
    stdout?.on('data', (data) => {
      process.stdout.write(data);
      if (String(data).includes('"listening"')) resolve();
    });
  });
}

function startAstro(): void {
  const env = {
    ...siteSettings({ ...process.env, PUBLIC_API_HOST: apiOrigin }),
    ASTRO_DEV_BACKGROUND: '0',
    ASTRO_TELEMETRY_DISABLED: '1',
    NODE_ENV: 'development',
  };
  run([ASTRO, 'dev', '--host', HOST, '--port', ports.site], env, 'inherit');
}

const free = await Promise.all(Object.values(ports).map((port) => isPortFree(Number(port), HOST)));
if (free.includes(false)) {
  console.error(
    `Port ${ports.site} or ${ports.api} is taken. Is the shop running already? Stop it and start again.`,
  );
  process.exitCode = 1;
} else {
  await startApi();
  // It asks the API for the catalogue with the first page.
  startAstro();
}
