/** `ensure-programs.ts chromium`, `engines` or `servers` installs what the tests need. Elsewhere than on Debian it only says what is missing. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findEngines } from '#tests/engines/programs.ts';
import { isInstalled } from '#tests/publish/support/web-servers.ts';
import { findChromium, findHeadlessShell } from './find-chromium.ts';
import { findPostgres } from './postgres-cluster.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

const fail = (line: string): never => {
  process.stderr.write(`${line}\n`);
  process.exit(1);
};

/** The words before a command that runs it as root; undefined if sudo asks for a password. */
const asRoot = (): string[] | undefined => {
  if (process.getuid?.() === 0) return [];
  return isInstalled('sudo', '-n', 'true') ? ['sudo', '-n'] : undefined;
};

/** Runs a script as root. Returns what it printed, or undefined if this is not Debian or the user may not become root. */
function runAsRoot(script: string): string | undefined {
  const root = existsSync('/etc/debian_version') ? asRoot() : undefined;
  if (!root) return undefined;
  const [command = 'sh', ...args] = [...root, 'sh', '-c', `export DEBIAN_FRONTEND=noninteractive\n${script}`];
  const { stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  return stdout + stderr;
}

function install(names: string, script = `apt-get update && apt-get install -y ${names}`) {
  say(`Installing Debian's ${names} (apt-get install ${names}) ...`);
  return runAsRoot(script);
}

function ensureChromium(): void {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH && !findChromium()) fail(`CHROMIUM_PATH is '${CHROMIUM_PATH}', and no program is there.`);
  if (!findChromium()) {
    const output = install('chromium') ?? 'The browser tests need Chromium.';
    if (!findChromium())
      fail(
        `${output}\nChromium could not be installed: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.`,
      );
  }
  // Not every Debian release has it.
  if (CHROMIUM_PATH || findHeadlessShell()) return;
  install('chromium-headless-shell');
  if (!findHeadlessShell())
    say('There is no chromium-headless-shell, so the browser tests take twice as long.');
}

/** Says what is not tested. A run on a CI server fails then. */
function warn(line: string, packages: string, output: string | undefined): void {
  process.stderr.write(`${output ? `${output}\n` : ''}${line}. Debian: apt-get install ${packages}\n`);
  process.exitCode = process.env.CI === 'true' ? 1 : 0;
}

/** Without the second line the package would start a server. The tests start their own, in a temporary folder. */
const POSTGRES = [
  'apt-get update && apt-get install -y postgresql-common || exit',
  "sed -ri 's/^#? *create_main_cluster *=.*/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf",
  'apt-get install -y postgresql',
].join('\n');

function ensurePostgres(): void {
  if (findPostgres()) return;
  const output = install('postgresql', POSTGRES);
  if (!findPostgres())
    warn('There is no PostgreSQL, so the API is tested on SQLite alone', 'postgresql', output);
}

/** Debian's packages of the engines, beside Chromium. */
const ENGINE_PACKAGES = { firefox: 'firefox-esr', webkit: 'webkit2gtk-driver xvfb' } as const;

function ensureEngines(): void {
  const missing = (): string =>
    Object.entries(ENGINE_PACKAGES)
      .flatMap(([name, packages]) => (name in findEngines() ? [] : [packages]))
      .join(' ');
  if (missing() === '') return;
  const output = install(missing());
  if (missing() !== '') warn('The tests of tests/engines leave out a missing engine', missing(), output);
}

/** Debian's own way to install a server without starting it. */
const NO_SERVICES = `policy=/usr/sbin/policy-rc.d
[ -e $policy ] || { printf '#!/bin/sh\\nexit 101\\n' > $policy && chmod +x $policy && trap "rm $policy" EXIT; }`;

/** Tests try the configurations of these servers and the units of systemd. */
const SERVERS: readonly (readonly [name: string, program: string, flag: string])[] = [
  ['nginx', 'nginx', '-v'],
  ['caddy', 'caddy', 'version'],
  ['systemd', 'systemd-analyze', '--version'],
];

function ensureServers(): void {
  ensurePostgres();
  const missing = (): string[] =>
    SERVERS.filter(([, program, flag]) => !isInstalled(program, flag)).map(([name]) => name);
  const names = missing().join(' ');
  if (names !== '') install(names, `${NO_SERVICES}\napt-get update && apt-get install -y ${names}`);
  for (const name of missing()) say(`${name} is missing and could not be installed: its tests are skipped.`);
}

if (process.argv[2] === 'chromium') ensureChromium();
else if (process.argv[2] === 'engines') ensureEngines();
else ensureServers();
