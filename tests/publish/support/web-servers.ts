import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { installConfiguration } from '#scripts/publish/hosts/install.ts';
import { freePort } from '#tests/support/free-port.ts';

/** The servers are on localhost, because browsers use compression dictionaries only on secure origins. */
export interface WebServer {
  readonly url: string;
  /** Makes the server serve the release that the link `current` names now. */
  readonly reload: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** What it has written into its log. */
  readonly log: () => string;
}

export function isInstalled(command: string, ...args: string[]): boolean {
  const isThere = spawnSync(command, args, { stdio: 'ignore' }).status === 0;
  if (!isThere) console.warn(`${command} is not installed: the tests that need it are left out here.`);
  return isThere;
}

async function untilAnswering(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const isAnswering = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  while (!(await isAnswering())) {
    if (child.exitCode !== null) throw new Error(`The server ended at once:\n${output()}`);
    await wait(25);
  }
}

/** @param home the folder where the server may store its state */
async function start(
  home: string,
  command: string,
  args: string[],
  url: string,
  reload: string[],
): Promise<WebServer> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: home },
  });
  let output = '';
  const collect = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  await untilAnswering(url, child, () => output);
  return {
    url,
    log: () => output,
    async reload() {
      const reloading = spawn(command, reload, { stdio: 'ignore' });
      const [status] = await once(reloading, 'close');
      if (status !== 0) throw new Error(`${command} could not reload:\n${output}`);
    },
    async stop() {
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** @param http what is in its http block: `work` is a folder that it may write into */
export async function runNginx(
  folder: string,
  http: (at: { work: string; port: number }) => string,
): Promise<WebServer> {
  const port = await freePort();
  const work = join(folder, 'nginx');
  mkdirSync(work);
  const config = join(work, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${work}/${name};`)
    .join(' ');
  writeFileSync(
    config,
    `daemon off; pid ${work}/pid; error_log stderr warn; worker_processes 2; ${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 4096; }
http { access_log off; ${temporary} ${http({ work, port })} }`,
  );
  const args = ['-c', config, '-p', work];
  return start(work, 'nginx', args, `http://localhost:${port}`, [...args, '-s', 'reload']);
}

/** Installs the configuration for the live release of a folder. Returns the folder with the configuration. */
export async function configurationOf(releases: string): Promise<string> {
  const target = join(releases, 'etc');
  await installConfiguration(releases, target);
  return target;
}

/** Starts a server with the configuration of the live release, which each reload installs again. */
async function startInstalled(
  releases: string,
  run: (etc: string) => Promise<WebServer>,
): Promise<WebServer> {
  const server = await run(await configurationOf(releases));
  return { ...server, reload: () => configurationOf(releases).then(server.reload) };
}

export const startNginx = (releases: string): Promise<WebServer> =>
  startInstalled(releases, (etc) =>
    runNginx(
      releases,
      ({ port }) => `include ${etc}/nginx-http.conf;
  server { listen 127.0.0.1:${port}; include ${etc}/nginx-server.conf; }`,
    ),
  );

/** @param sites the blocks of its sites, which listen on the port; global options may be before them */
export async function runCaddy(folder: string, sites: (port: number) => string): Promise<WebServer> {
  const port = await freePort();
  const config = join(folder, 'Caddyfile');
  const admin = `unix/${join(folder, 'admin.sock')}`;
  const options = `{\n\tadmin ${admin}\n\tauto_https off\n\tdefault_bind 127.0.0.1\n`;
  const given = sites(port).replace(/^\tadmin .*$/m, '');
  writeFileSync(config, /^\{$/m.test(given) ? given.replace(/^\{$/m, options) : `${options}}\n${given}`);
  const args = ['--config', config, '--adapter', 'caddyfile'];
  return start(folder, 'caddy', ['run', ...args], `http://localhost:${port}`, [
    'reload',
    ...args,
    '--address',
    admin,
  ]);
}

export const startCaddy = (releases: string): Promise<WebServer> =>
  startInstalled(releases, (etc) =>
    runCaddy(releases, (port) => `http://localhost:${port} {\n\timport ${etc}/Caddyfile\n}\n`),
  );

const SERVE = fileURLToPath(new URL('../../../scripts/preview.ts', import.meta.url));

/** Starts the server of `npm start` and `npm run preview` in a separate process, like the other servers. */
export async function startBuiltIn(releases: string): Promise<WebServer> {
  const port = await freePort();
  const args = [SERVE, '--dir', join(releases, 'current/site'), '--port', String(port)];
  const server = await start(releases, process.execPath, args, `http://localhost:${port}`, []);
  return { ...server, reload: async () => {} };
}

/**
 * Returns the body as it was sent. `fetch` would decode it, or fail on an encoding that it does not know.
 * @param path sent unchanged, where `fetch` and URL would normalise it
 */
export async function fetchRaw(
  url: string,
  headers: Record<string, string>,
  path = url.slice(new URL(url).origin.length),
) {
  const [response]: IncomingMessage[] = await once(get(url, { headers, agent: false, path }), 'response');
  if (!response) throw new Error(`${url} was not answered`);
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}
