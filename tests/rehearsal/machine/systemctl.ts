/**
 * Stands for systemctl in a rehearsal: `systemctl [enable --now|start|stop|restart|reload] UNIT…` runs what the units in the rehearsal's
 * /etc/systemd/system say, without their users and their sandbox. A unit's process id is in run/UNIT, its output in log/UNIT.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const home = process.env.REHEARSAL ?? '';

/** What the packages of Debian bring as units. */
const PACKAGED: Readonly<Record<string, { start: string; reload: string; ready: string }>> = {
  'caddy.service': {
    start: `caddy run --config ${home}/etc/caddy/Caddyfile`,
    reload: `caddy reload --config ${home}/etc/caddy/Caddyfile --force`,
    ready: 'caddy/pki/authorities/local/root.crt',
  },
  'nginx.service': {
    start: `nginx -c ${home}/etc/nginx/nginx.conf -p ${home}`,
    reload: `nginx -c ${home}/etc/nginx/nginx.conf -p ${home} -s reload`,
    ready: 'run/nginx.pid',
  },
};

const fullName = (unit: string): string => (/\.(service|timer|path)$/.test(unit) ? unit : `${unit}.service`);

interface Unit {
  readonly commands: readonly string[];
  readonly folder: string;
  readonly env: NodeJS.Dict<string>;
  readonly isOneshot: boolean;
  readonly watched: string | undefined;
}

function readUnit(name: string): Unit {
  const [, instance = ''] = /@(.*)\.service$/.exec(name) ?? [];
  const file = join(home, 'etc/systemd/system', name.replace(/@.*\./, '@.'));
  const text = readFileSync(file, 'utf8')
    .replaceAll('%i', instance)
    .replaceAll('%%', '%')
    .replaceAll('$$', '$');
  const values = (key: string): string[] =>
    [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
  const state = values('StateDirectory').map((folder) => join(home, 'var/lib', folder));
  for (const folder of state) mkdirSync(folder, { recursive: true });
  const given = values('Environment').flatMap((line) => line.split(' ').map((pair) => pair.split('=')));
  return {
    commands: values('ExecStart'),
    folder: values('WorkingDirectory')[0] ?? home,
    env: { ...Object.fromEntries(given), STATE_DIRECTORY: state[0] },
    isOneshot: values('Type').includes('oneshot'),
    watched: values('PathChanged')[0],
  };
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && !isSo(); tries += 1) await wait(20);
}

const processFile = (name: string): string => join(home, 'run', name);

function processOf(name: string): number | undefined {
  if (!existsSync(processFile(name))) return undefined;
  const id = Number(readFileSync(processFile(name), 'utf8'));
  try {
    process.kill(id, 0);
    return id;
  } catch {
    return undefined;
  }
}

function runInBackground(name: string, command: string, folder: string, env: NodeJS.Dict<string>): void {
  const log = openSync(join(home, 'log', name), 'a');
  const child = spawn('/bin/sh', ['-c', `exec ${command}`], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', log, log],
    detached: true,
  });
  writeFileSync(processFile(name), String(child.pid));
  child.unref();
}

async function start(name: string): Promise<void> {
  if (name.endsWith('.timer') || processOf(name) !== undefined) return;
  const packaged = PACKAGED[name];
  if (packaged) {
    runInBackground(name, packaged.start, home, {});
    return until(() => existsSync(join(home, packaged.ready)));
  }
  const { commands, folder, env, isOneshot, watched } = readUnit(name);
  if (watched !== undefined) {
    return runInBackground(name, `node-real ${import.meta.filename} watch ${watched} ${name}`, home, env);
  }
  if (!isOneshot) return runInBackground(name, commands[0] ?? '', folder, env);
  for (const command of commands) {
    const { status, stderr } = spawnSync('/bin/sh', ['-c', command], {
      cwd: folder,
      env: { ...process.env, ...env },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${name} failed: ${stderr}`);
  }
}

async function stop(name: string): Promise<void> {
  const id = processOf(name);
  if (id === undefined) return;
  process.kill(id, 'SIGTERM');
  await until(() => processOf(name) === undefined);
  rmSync(processFile(name), { force: true });
}

async function reload(name: string): Promise<void> {
  if (processOf(name) === undefined) return start(name);
  const command = PACKAGED[name]?.reload;
  if (command === undefined) throw new Error(`${name} cannot be reloaded.`);
  if (spawnSync('/bin/sh', ['-c', command], { stdio: 'inherit' }).status !== 0) {
    throw new Error(`${name} could not be reloaded.`);
  }
}

/** Does what a path unit does. */
function watchFile(file: string, unit: string): void {
  mkdirSync(dirname(file), { recursive: true });
  watch(dirname(file), (_, changed) => {
    if (changed === basename(file)) void start(unit.replace('.path', '.service'));
  });
}

const [verb = '', ...words] = process.argv.slice(2);
const units = words
  .filter((word) => !word.startsWith('-') && word !== process.env.REHEARSAL_WITHOUT)
  .map(fullName);
mkdirSync(join(home, 'run'), { recursive: true });
mkdirSync(join(home, 'log'), { recursive: true });
if (verb === 'watch') watchFile(words[0] ?? '', words[1] ?? '');
for (const unit of verb === 'watch' ? [] : units) {
  if (verb === 'stop' || verb === 'restart') await stop(unit);
  if (verb === 'reload') await reload(unit);
  if (['start', 'restart', 'enable'].includes(verb)) await start(unit);
}
