/**
 * Checks that modules of the server and the scripts import only modules of lower layers, and that no folder has too
 * many files to overview. A module is a folder of src/server or of scripts, with all folders inside it.
 */
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** From the lowest layer to the highest. Modules of one layer do not import each other. */
const LAYERS = [
  ['server/process', 'server/http', 'scripts/serve', 'scripts/demo', 'scripts/hosting'],
  ['server/settings'],
  ['server/db', 'scripts/build'],
  ['server/services'],
  ['server/admin', 'server/pictures'],
  ['server/email'],
  ['server/customers'],
  ['server/store', 'server/staff', 'server/contact'],
  ['server/payments'],
  ['server/catalogue', 'server/orders', 'server/publishing'],
  ['server/privacy'],
  ['server/doctor'],
  ['scripts/publish'],
  ['server/app', 'scripts/check'],
  ['server', 'scripts/start', 'scripts'],
] as const;
const MOST_FILES = 15;

const layerOf = new Map<string, number>(
  LAYERS.flatMap((modules, layer) => modules.map((module) => [module, layer])),
);

/** 'server/orders' of 'src/server/orders/admin/page.ts'; 'scripts' of a file directly in scripts. */
const moduleOf = (file: string): string =>
  dirname(file)
    .replace(/^src\//, '')
    .split('/')
    .slice(0, 2)
    .join('/');

const IMPORT =
  /^\s*(?:import|export)\s(?:[^'";]*?from\s*)?'(#server\/|#scripts\/|\.\/)([^']+)'|import\('(#server\/|#scripts\/|\.\/)([^']+)'\)/gm;

const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(
    ([, start = '', path = '', laterStart = '', laterPath = '']) => {
      const from = start || laterStart;
      if (from === './') return join(dirname(file), path || laterPath);
      return `${from === '#server/' ? 'src/server' : 'scripts'}/${path || laterPath}`;
    },
  );

const problems: string[] = [];
const filesIn = new Map<string, number>();
for await (const file of glob('{src/server,scripts}/**/*.{ts,tsx}')) {
  filesIn.set(dirname(file), (filesIn.get(dirname(file)) ?? 0) + 1);
  const module = moduleOf(file);
  const layer = layerOf.get(module);
  if (layer === undefined) problems.push(`${file}: ${module} has no layer in scripts/check/layers.ts.`);
  for (const imported of importsOf(file)) {
    const other = moduleOf(imported);
    if (layer !== undefined && other !== module && (layerOf.get(other) ?? Infinity) >= layer)
      problems.push(`${file} imports ${imported}, but ${other} is not on a lower layer than ${module}.`);
  }
}
for (const [folder, files] of filesIn)
  if (files > MOST_FILES) problems.push(`${folder} holds ${files} files, more than ${MOST_FILES}.`);
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
