import { findChromium } from './find-chromium.ts';
import { installPackages } from './install-packages.ts';

// The headless shell halves the time of the tests, but not every Debian release has it.
const INSTALL = [
  'apt-get update && apt-get install -y chromium || exit',
  'apt-get install -y chromium-headless-shell || true',
].join('\n');

const fail = (line: string): never => {
  process.stderr.write(`${line}\n`);
  process.exit(1);
};

if (process.env.CHROMIUM_PATH && !findChromium()) {
  fail(`CHROMIUM_PATH is '${process.env.CHROMIUM_PATH}', and no program is there.`);
}
if (!findChromium()) {
  process.stdout.write("No Chromium here: installing Debian's (apt-get install chromium) ...\n");
  const output = installPackages(INSTALL);
  if (output === undefined) {
    fail(
      'The browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.',
    );
  }
  if (!findChromium()) {
    fail(`${output}\nChromium could not be installed: install it yourself or set CHROMIUM_PATH.`);
  }
}
