import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '#tests/support/free-port.ts';
import { NAME, replaceIn } from './replacements.ts';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDERS = ['bin', 'run', 'log', 'srv/shop', 'var/lib', 'etc/caddy', 'etc/systemd/system'];
/** Programs that need root, or would take long. */
const REPLACED = ['apt-get', 'chown', 'git', 'install', 'npm', 'runuser', 'systemctl', 'systemd-sysusers'];

export interface Machine {
  /** The folder that replaces `/`. */
  readonly home: string;
  readonly site: string;
  /** The API's own address, without a web server before it. */
  readonly upstream: string;
  /** Runs a line of the page in a shell, and returns its output. @throws Error with the output */
  readonly run: (line: string) => Promise<string>;
  /** Begins a line and kills all its processes after some ms. */
  readonly cutOff: (line: string, ms: number) => Promise<void>;
  /** Returns the output of a unit. */
  readonly log: (unit: string) => string;
  readonly close: () => Promise<void>;
}

/**
 * Makes a clean folder in which the commands of a page can run. `program` replaces those that need root, and
 * systemctl.ts replaces systemd, without users and sandbox.
 * @param without a unit that is never started
 */
export async function createMachine({ without = '' } = {}): Promise<Machine> {
  const home = mkdtempSync(join(tmpdir(), 'rehearsal-'));
  for (const folder of FOLDERS) mkdirSync(join(home, folder), { recursive: true });
  for (const name of REPLACED)
    symlinkSync(join(CHECKOUT, 'tests/rehearsal/program'), join(home, 'bin', name));
  symlinkSync(process.execPath, join(home, 'bin/node-real'));

  const ports = [await freePort(), await freePort(), await freePort(), await freePort()];
  const authority = join(home, 'caddy/pki/authorities/local/root.crt');
  const { NODE_ENV: _, SITE_DIST: __, ...rest } = process.env;
  const env = (): NodeJS.ProcessEnv => ({
    ...rest,
    PATH: `${join(home, 'bin')}:${rest.PATH}`,
    REAL_PATH: rest.PATH,
    REHEARSAL: home,
    REHEARSED: CHECKOUT,
    REHEARSAL_PORTS: ports.join(' '),
    REHEARSAL_WITHOUT: without,
    HOME: home,
    XDG_DATA_HOME: home,
    NODE_OPTIONS: `--import=${join(CHECKOUT, 'tests/rehearsal/names.ts')}`,
    ...(existsSync(authority) ? { NODE_EXTRA_CA_CERTS: authority } : {}),
  });
  /** Each line begins in the folder in which the one before ended. */
  const scriptOf = (line: string): string[] => {
    const place = join(home, 'folder');
    const folder = existsSync(place) ? readFileSync(place, 'utf8').trim() : home;
    return ['-euo', 'pipefail', '-c', `cd '${folder}'\n${replaceIn(line, env())}\npwd > '${place}'`];
  };
  const run = async (line: string): Promise<string> => {
    const ran = promisify(execFile)('bash', scriptOf(line), { env: env(), maxBuffer: 2 ** 26 });
    const { stdout, stderr } = await ran.catch((error: { stdout: string; stderr: string }) => {
      const logs = readdirSync(join(home, 'log')).map(
        (unit) => `${unit}: ${readFileSync(join(home, 'log', unit), 'utf8').slice(-1_000)}`,
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
    log: (unit) => readFileSync(join(home, 'log', `${replaceIn(unit, env())}.service`), 'utf8'),
    async cutOff(line, ms) {
      const child = spawn('bash', scriptOf(line), { env: env(), stdio: 'ignore', detached: true });
      const ended = new Promise((resolve) => child.on('close', resolve));
      const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), ms);
      await ended;
      clearTimeout(timer);
    },
    async close() {
      const units = readdirSync(join(home, 'run')).filter((name) => /\.(service|path)$/.test(name));
      for (const unit of units) await run(`systemctl stop ${unit}`);
      rmSync(home, { recursive: true, force: true });
    },
  };
}
