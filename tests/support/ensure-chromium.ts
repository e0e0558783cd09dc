import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findChromium } from './find-chromium.ts';

// The headless shell halves the time of the tests, but not every Debian release has it.
const INSTALL = [
  'export DEBIAN_FRONTEND=noninteractive',
  'apt-get update && apt-get install -y chromium || exit',
  'apt-get install -y chromium-headless-shell || true',
].join('\n');

const succeeds = (command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** The command that installs as root, by sudo if needed; undefined if sudo asks for a password. */
const installCommand = (): string[] | undefined => {
  if (process.getuid?.() === 0) return ['sh', '-c', INSTALL];
  return succeeds('sudo', '-n', 'true') ? ['sudo', '-n', 'sh', '-c', INSTALL] : undefined;
};

const fail = (line: string): never => {
  process.stderr.write(`${line}\n`);
  process.exit(1);
};

if (process.env.CHROMIUM_PATH && !findChromium()) {
  fail(`CHROMIUM_PATH is '${process.env.CHROMIUM_PATH}', and no program is there.`);
}
if (!findChromium()) {
  const [command, ...args] = (existsSync('/etc/debian_version') && installCommand()) || [];
  if (!command) {
    fail(
      'The browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.',
    );
  } else {
    process.stdout.write("No Chromium here: installing Debian's (apt-get install chromium) ...\n");
    const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
    if (status !== 0 || !findChromium()) {
      fail(`${stdout}${stderr}\nChromium could not be installed: install it yourself or set CHROMIUM_PATH.`);
    }
  }
}
