/**
 * Stands for systemctl: `systemctl [enable --now|start|stop|restart|reload] UNIT…` runs what the units in etc/systemd/system
 * say. The process id of a unit is in run/UNIT, its output in log/UNIT.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const home = process.env.REHEARSAL ?? '';
const CADDYFILE = `${home}/etc/caddy/Caddyfile`;

function run(command: string, folder: string, env: NodeJS.Dict<string>): void {
  const given = { cwd: folder, env: { ...process.env, ...env }, encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync('/bin/sh', ['-c', command], given);
  if (status !== 0) throw new Error(`${command}\nfailed: ${stderr}`);
}

const processFile = (name: string): string => join(home, 'run', name);

function processOf(name: string): number | undefined {
  try {
    const id = Number(readFileSync(processFile(name), 'utf8'));
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

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(20);
}

async function start(name: string): Promise<void> {
  if (name.endsWith('.timer') || processOf(name) !== undefined) return;
  if (name === 'caddy.service') {
    runInBackground(name, `caddy run --config ${CADDYFILE}`, home, {});
    return until(() => existsSync(join(home, 'caddy/pki/authorities/local/root.crt')));
  }
  const [, instance = ''] = /@(.*)\.\w+$/.exec(name) ?? [];
  const text = readFileSync(join(home, 'etc/systemd/system', name.replace(/@.*\./, '@.')), 'utf8')
    .replaceAll('%i', instance)
    .replaceAll('%%', '%')
    .replaceAll('$$', '$');
  const values = (key: string): string[] =>
    [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
  const [watched] = values('PathChanged');
  if (watched !== undefined)
    return runInBackground(name, `node-real ${import.meta.filename} watch ${watched} ${name}`, home, {});
  const [folder = home] = values('WorkingDirectory');
  const [state] = values('StateDirectory').map((each) => join(home, 'var/lib', each));
  if (state !== undefined) mkdirSync(state, { recursive: true });
  const env = {
    ...Object.fromEntries(values('Environment').map((pair) => pair.split('='))),
    STATE_DIRECTORY: state,
  };
  const commands = values('ExecStart');
  if (values('Type').includes('oneshot')) for (const command of commands) run(command, folder, env);
  else runInBackground(name, commands[0] ?? '', folder, env);
}

async function stop(name: string): Promise<void> {
  const id = processOf(name);
  if (id === undefined) return;
  process.kill(id, 'SIGTERM');
  await until(() => processOf(name) === undefined);
  rmSync(processFile(name), { force: true });
}

const [verb = '', ...words] = process.argv.slice(2);
if (verb === 'watch') {
  const [file = '', unit = ''] = words;
  watch(dirname(file), (_, changed) => {
    if (changed === basename(file)) void start(unit.replace('.path', '.service'));
  });
} else {
  for (const word of words.filter(
    (each) => !each.startsWith('-') && each !== process.env.REHEARSAL_WITHOUT,
  )) {
    const unit = /\.(service|timer|path)$/.test(word) ? word : `${word}.service`;
    if (verb === 'stop' || verb === 'restart') await stop(unit);
    if (verb === 'reload') run(`caddy reload --config ${CADDYFILE} --force`, home, {});
    if (['start', 'restart', 'enable'].includes(verb)) await start(unit);
  }
}
