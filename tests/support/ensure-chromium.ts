import { installPackages } from './debian.ts';
import { findChromium } from './find-chromium.ts';

const give = (line: string): never => {
  process.stderr.write(`${line}\n`);
  process.exit(1);
};

if (process.env.CHROMIUM_PATH && !findChromium()) {
  give(`CHROMIUM_PATH is '${process.env.CHROMIUM_PATH}', and no program is there.`);
}
if (!findChromium()) {
  // The headless shell halves the time, and not every release has it.
  const output = installPackages(['chromium'], ['chromium-headless-shell']);
  if (output === undefined)
    give(
      'The browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.',
    );
  if (!findChromium())
    give(`${output}\nChromium could not be installed: install it yourself or set CHROMIUM_PATH.`);
}
