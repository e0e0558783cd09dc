/**
 * `npm run maintain [-- NAME …]` runs a command that only maintainers need, and passes the further arguments on.
 * Without a name it lists the commands. A new command needs only a new line in the table.
 */
import { spawnSync } from 'node:child_process';

const COMMANDS: Readonly<Record<string, readonly [description: string, script: string, ...args: string[]]>> =
  {
    pictures: ["takes the README's pictures anew", 'tests/pictures/readme-pictures.ts'],
    'office-pictures': ["takes the pictures of the editors' guide anew", 'tests/pictures/office-pictures.ts'],
    engines: [
      "the core journeys in this machine's Firefox and WebKitGTK",
      'node_modules/playwright/cli.js',
      'test',
      '--config=tests/engines/playwright.config.ts',
    ],
    fuzz: ['changed requests and forms to the API', 'tests/fuzz/fuzz.ts'],
    protections: [
      "takes the protections from the faults away: do the faults' tests fail?",
      'tests/mutation/protections.ts',
    ],
    mutation: [
      'changes src/domain, src/api and src/stores line by line: do the unit tests notice?',
      'node_modules/@stryker-mutator/core/bin/stryker.js',
      'run',
      'tests/mutation/stryker.json',
    ],
  };

const [name = '', ...rest] = process.argv.slice(2);
const command = COMMANDS[name];
if (command) {
  const [, script, ...args] = command;
  const { status } = spawnSync(process.execPath, [script, ...args, ...rest], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} else {
  for (const [key, [description]] of Object.entries(COMMANDS)) console.log(`${key.padEnd(16)}${description}`);
  if (name !== '') console.error(`There is no '${name}'.`);
  process.exitCode = name === '' ? 0 : 1;
}
