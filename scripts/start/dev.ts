import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { dev } from 'astro';
import { runProgram, stopSignal } from '#server/process/explained-error.ts';
import { loadSettings } from '#server/settings/load.ts';
import { PORTS } from '#server/settings/settings.ts';
import { apiEnvironment, hostOf, requireFreePorts, siteSettings } from './settings.ts';

/*
 * `npm run dev` runs the reference API, which restarts when its code changes, and Astro's development server, which
 * updates the open page. Pages on localhost always call the API on port 8044. With another `--api-port`, open the shop
 * on 127.0.0.1.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: String(PORTS.site) },
    'api-port': { type: 'string', default: String(PORTS.api) },
  },
});

const ports = { site: Number(values.port), api: Number(values['api-port']) };

loadSettings();

/** Node's watch mode restarts the API when a file that it imports has changed. */
function startApi(host: string | undefined) {
  const options = ['--watch', '--watch-preserve-output', '--import', './src/server/process/tsx.ts'];
  const child = spawn(process.execPath, [...options, 'src/server/server.ts'], {
    env: { ...process.env, ...apiEnvironment(process.env, ports), ...(host ? { HOST: host } : {}) },
    stdio: 'inherit',
  });
  const closed = once(child, 'close');
  return async () => {
    child.kill('SIGTERM');
    await closed;
  };
}

async function startSite(host: string | undefined) {
  process.env.NODE_ENV ??= 'development';
  Object.assign(process.env, siteSettings(process.env, ports));
  const server = await dev({
    server: { port: ports.site, host: host ?? true },
    vite: { server: { strictPort: true } },
  });
  return () => server.stop();
}

const servers = new AsyncDisposableStack();

stopSignal().addEventListener('abort', () => void servers.disposeAsync().then(() => process.exit(0)));

runProgram(async () => {
  const host = hostOf(process.env);
  await requireFreePorts(ports, host);
  servers.defer(startApi(host));
  servers.defer(await startSite(host));
});
