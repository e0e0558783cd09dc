import { findChromium, findHeadlessShell } from './find-chromium.ts';
import { installPackages } from './install-packages.ts';

/** Installs a Debian package with what it needs. Returns what was printed, or undefined where it may not. */
function install(name: string): string | undefined {
  process.stdout.write(`Installing Debian's ${name} (apt-get install ${name}) ...\n`);
  return installPackages(`apt-get update && apt-get install -y ${name}`);
}

const fail = (line: string): never => {
  process.stderr.write(`${line}\n`);
  process.exit(1);
};

const { CHROMIUM_PATH } = process.env;
if (CHROMIUM_PATH && !findChromium()) fail(`CHROMIUM_PATH is '${CHROMIUM_PATH}', and no program is there.`);
if (!findChromium()) {
  const output = install('chromium');
  if (output === undefined)
    fail(
      'The browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.',
    );
  if (!findChromium())
    fail(`${output}\nChromium could not be installed: install it yourself or set CHROMIUM_PATH.`);
}
// Not every Debian release has it.
if (!CHROMIUM_PATH && !findHeadlessShell()) {
  install('chromium-headless-shell');
  if (!findHeadlessShell())
    process.stdout.write('There is no chromium-headless-shell, so the browser tests take twice as long.\n');
}
