/**
 * `npm test` runs every check, and `npm test -- code`, `servers`, `engines` or `browser --shard=1/3` one part. A check is an
 * npm script. The last lines name the scripts that failed.
 */
import { join } from 'node:path';
import concurrently, { type CloseEvent } from 'concurrently';

const QUICK = ['spec -- --missing', 'documents', 'imports', 'unused'];
const CODE = ['test:code', 'types'];
const PATTERNS = ['patterns'];
const SQLITE = ['test:sqlite'];
const POSTGRES = ['test:postgres'];
const PUBLISHING = ['test:publish'];
const ENGINES = ['test:engines'];
const SITE = ['test:chromium', 'test:site'];
const browser = (args: readonly string[]): string[] => [
  'test:dist',
  'size -- .cache/test-dist',
  'html -- .cache/test-dist',
  'browsers -- .cache/test-dist',
  ['test:browser --', ...args].join(' '),
];

/**
 * The lists of a part run in parallel, because they mostly wait. In a whole run they end at about the same time, and
 * share the site that the quick checks build.
 */
const listsOf = (part: string | undefined, args: readonly string[]): string[][] => {
  if (part === 'code') return [[...CODE, ...PATTERNS]];
  if (part === 'servers') return [['test:servers', ...SQLITE, ...POSTGRES, ...PUBLISHING]];
  if (part === 'browser') return [[...SITE, ...browser(args)]];
  if (part === 'engines') return [[...SITE, ...ENGINES]];
  if (part !== undefined) throw new Error(`There is no part '${part}': code, servers, browser or engines.`);
  return [SQLITE, POSTGRES, ENGINES, [...CODE, ...PUBLISHING], [...browser([]), ...PATTERNS]];
};

const env = {
  NO_COLOR: '1',
  ASTRO_TELEMETRY_DISABLED: '1',
  // Tests start the API and its commands a hundred times. Without it, compiling takes a third of such a start.
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../.cache/compiled'),
};

/** How many of a failed script's last lines are printed again at the end. They say what was wrong. */
const LAST_LINES = 40;

/**
 * Runs each list of scripts, one script after the other, even after a failure. Each line of output begins with the script's
 * name. Returns the scripts that have not passed; after Ctrl-C, also the running one and those not yet started.
 */
async function failuresOf(lists: readonly string[][]) {
  const failures = lists.map(async (scripts) => {
    const { commands, result } = concurrently(
      scripts.map((script) => ({
        command: `npm run --silent ${script}`,
        name: script.replace(/ .*/, ''),
        env,
      })),
      { maxProcesses: 1, prefixColors: false },
    );
    const outputs = commands.map(({ name, stdout, stderr }) => {
      const chunks: Buffer[] = [];
      for (const stream of [stdout, stderr]) stream.subscribe((chunk) => chunks.push(chunk));
      return { name, chunks };
    });
    const events = await result.catch((failed: CloseEvent[]) => failed);
    const passed = events.filter(({ exitCode, killed }) => exitCode === 0 && !killed);
    return outputs
      .filter(({ name }) => !passed.some(({ command }) => command.name === name))
      .map(({ name, chunks }) => ({ name, lines: `${Buffer.concat(chunks)}`.trimEnd().split('\n') }));
  });
  return (await Promise.all(failures)).flat();
}

const [part, ...args] = process.argv.slice(2);
const quick = [['lint'], [...QUICK, ...(part === undefined ? ['test:servers', ...SITE] : [])]];
const long = listsOf(part, args);
const quickFailures = await failuresOf(quick);
// After failures of the quick checks, the long ones would fail too.
const isWhole = quickFailures.length === 0;
const failed = isWhole ? await failuresOf(long) : quickFailures;
const count = [...quick, ...(isWhole ? long : [])].flat().length;
for (const { name, lines } of failed) {
  // vitest names each failed test in such a line.
  const named = lines.slice(0, -LAST_LINES).filter((line) => line.startsWith(' FAIL '));
  console.log([`\n--- ${name} failed:`, ...named, ...lines.slice(-LAST_LINES)].join('\n'));
}
const names = failed.map(({ name }) => name).join(', ');
console.log(names === '' ? 'Every check passed.' : `Failed: ${names}`);
console.log(`${count - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;
