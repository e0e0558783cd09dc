import { execFile, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Choice } from '#tests/rehearsal/page.ts';
import { freePort } from '#tests/support/free-port.ts';
import { type Cluster, startCluster } from '#tests/support/postgres-cluster.ts';
import { NAME, replacementsIn } from './replacements.ts';

const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url));

/** Programs that need root, or change the computer. They do nothing. */
const LEFT_OUT = ['apt-get', 'createuser'];

export interface Machine {
  /** The folder that stands for `/`. */
  readonly home: string;
  readonly site: string;
  /** The API's own address, without a web server before it. */
  readonly upstream: string;
  /** Runs a line of the page in a shell, and returns its output. @throws Error with the output */
  readonly run: (line: string) => Promise<string>;
  /** Begins a line and kills all its processes after some ms. */
  readonly cutOff: (line: string, ms: number) => Promise<void>;
  /** What the unit has written. */
  readonly log: (unit: string) => string;
  readonly close: () => Promise<void>;
}

/** Debian's nginx.conf, as far as it matters here. */
const nginxConf = (home: string): string => {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `daemon off; pid ${home}/run/nginx.pid; error_log stderr warn; ${process.getuid?.() === 0 ? 'user root;' : ''}
events {}
http { ${temporary.map((name) => `${name}_temp_path ${home}/run/${name};`).join(' ')} include ${home}/etc/nginx/conf.d/*.conf; }`;
};

const lastOf = (file: string): string => readFileSync(file, 'utf8').split('\n').slice(-6).join('\n  ');

export interface MachineOptions {
  /** Whether packages are really installed. */
  readonly whole?: boolean;
  /** A unit that is never started. */
  readonly without?: string;
}

/** Makes a clean folder in which the commands of a page can be run. */
export async function createMachine(
  { web, database }: Choice,
  { whole = false, without = '' }: MachineOptions = {},
): Promise<Machine> {
  const home = mkdtempSync(join(tmpdir(), 'rehearsal-'));
  for (const folder of [
    'bin',
    'run',
    'log',
    'srv/shop',
    'var/lib',
    'var/log/nginx',
    'etc/caddy',
    'etc/nginx/conf.d',
    'etc/systemd/system',
  ])
    mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(join(home, 'etc/nginx/nginx.conf'), nginxConf(home));
  const bin = join(CHECKOUT, 'tests/rehearsal/bin');
  for (const program of readdirSync(bin)) symlinkSync(join(bin, program), join(home, 'bin', program));
  for (const program of LEFT_OUT) symlinkSync(join(bin, 'skip'), join(home, 'bin', program));
  symlinkSync(process.execPath, join(home, 'bin/node-real'));

  const ports = [await freePort(), await freePort(), await freePort(), await freePort(), await freePort()];
  const cluster: Cluster | undefined = database === 'postgres' ? await startCluster() : undefined;
  const socket = cluster ? new URL(cluster.address('shop')) : undefined;
  const authority = join(home, web === 'caddy' ? 'caddy/pki/authorities/local/root.crt' : 'authority.pem');
  const { NODE_ENV: _, SITE_DIST: __, ...rest } = process.env;
  const env = (): NodeJS.ProcessEnv => ({
    ...rest,
    PATH: [join(home, 'bin'), ...(cluster ? [cluster.programs] : []), rest.PATH].join(':'),
    REAL_PATH: rest.PATH,
    REHEARSAL: home,
    REHEARSED: CHECKOUT,
    REHEARSAL_PORTS: ports.join(' '),
    ...(socket
      ? {
          REHEARSAL_POSTGRES: `${socket.hostname}\\&port=${socket.port}`,
          PGHOST: socket.hostname,
          PGPORT: socket.port,
          PGUSER: 'shop',
        }
      : {}),
    ...(whole ? { REHEARSAL_WHOLE: 'yes' } : {}),
    REHEARSAL_WITHOUT: without,
    HOME: home,
    XDG_DATA_HOME: home,
    NODE_OPTIONS: `--import=${join(CHECKOUT, 'tests/rehearsal/machine/names.ts')}`,
    ...(existsSync(authority) ? { NODE_EXTRA_CA_CERTS: authority } : {}),
  });
  const scriptOf = (line: string): string[] => {
    const command = replacementsIn(env()).reduce((changed, [from, to]) => changed.replaceAll(from, to), line);
    const place = join(home, 'folder');
    const folder = existsSync(place) ? readFileSync(place, 'utf8').trim() : home;
    return ['-euo', 'pipefail', '-c', `cd '${folder}'\n${command}\npwd > '${place}'`];
  };
  const log = (unit: string): string =>
    readFileSync(join(home, 'log', `${unit.replace('8044', String(ports[2]))}.service`), 'utf8');
  const run = async (line: string): Promise<string> => {
    const told = promisify(execFile)('bash', scriptOf(line), { env: env(), maxBuffer: 2 ** 26 });
    const { stdout, stderr } = await told.catch((error: { stdout: string; stderr: string }) => {
      const logs = readdirSync(join(home, 'log')).map(
        (unit) => `${unit}: ${lastOf(join(home, 'log', unit))}`,
      );
      throw new Error([`${line}\nfailed:\n${error.stdout}${error.stderr}`, ...logs].join('\n'));
    });
    return stdout + stderr;
  };
  return {
    home,
    site: `https://${NAME}:${ports[0]}`,
    upstream: `http://127.0.0.1:${ports[2]}`,
    run,
    log,
    async cutOff(line, ms) {
      const child = spawn('bash', scriptOf(line), { env: env(), stdio: 'ignore', detached: true });
      const ended = new Promise((resolve) => child.on('close', resolve));
      const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), ms);
      await ended;
      clearTimeout(timer);
    },
    async close() {
      for (const unit of readdirSync(join(home, 'run')).filter((name) => /\.(service|path)$/.test(name)))
        await run(`systemctl stop ${unit}`);
      await cluster?.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
