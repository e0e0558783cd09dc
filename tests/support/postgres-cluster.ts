import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';

const run = promisify(execFile);

/** PostgreSQL refuses to run as root. Debian's package makes this user for it. */
const USER = 'postgres';
const isRoot = process.getuid?.() === 0;

/** Runs a program as the user who owns the cluster. */
const runAsOwner = (folder: string, command: string, args: readonly string[]) =>
  isRoot
    ? run('runuser', ['-u', USER, '--', command, ...args], { cwd: folder })
    : run(command, args, { cwd: folder });

async function userId(flag: '-u' | '-g'): Promise<number> {
  return Number((await run('id', [flag, USER])).stdout);
}

/** Starts a PostgreSQL server in a temporary folder. Without `fsync` it is quicker, and a crash may lose what it stored. */
export async function startCluster(fsync: 'on' | 'off' = 'on') {
  const programs = findPostgres();
  if (programs === undefined) throw new Error('There is no PostgreSQL here.');
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
  if (isRoot) await chown(folder, await userId('-u'), await userId('-g'));
  const data = join(folder, 'data');
  const port = await freePort();
  const control = (...args: string[]) => {
    const always = ['-D', data, '-w', '-t', '240', '-l', join(folder, 'log')];
    return runAsOwner(folder, join(programs, 'pg_ctl'), [...always, ...args]);
  };
  const initdb = ['-D', data, '--no-locale', '-E', 'UTF8', '-A', 'trust', '-U', 'shop', '--no-sync'];
  await runAsOwner(folder, join(programs, 'initdb'), initdb);
  const options = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    max_connections: 300,
    fsync,
  };
  const flags = Object.entries(options).map(([name, value]) => `-c ${name}=${value}`);
  /** Starts it, also after a crash, at the same address. Resolves when it takes connections. */
  const start = async (): Promise<void> => void (await control('-o', flags.join(' '), 'start'));
  /** Ends all its processes at once, as a loss of power would. */
  const crash = async (): Promise<void> => void (await control('-m', 'immediate', 'stop'));
  await start();
  return {
    /** The folder of PostgreSQL's programs. */
    programs,
    /** The address of one of its databases. */
    address: (database: string) => `postgres://shop@127.0.0.1:${port}/${database}`,
    crash,
    start,
    /** Ends it and removes its data. */
    async stop() {
      await crash();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

const versionOf = (folder: string): number => Number(folder.split('/').at(-2));

/** The folder with the programs of the newest PostgreSQL from Debian's packages; undefined if there is none. */
export const findPostgres = (): string | undefined =>
  globSync('/usr/lib/postgresql/*/bin')
    .filter((folder) => existsSync(`${folder}/initdb`))
    .sort((a, b) => versionOf(b) - versionOf(a))[0];
