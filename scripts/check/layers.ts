/**
 * Checks which module imports which: by the table MAY_IMPORT, and in the server and the scripts also by layers, where a
 * module is a folder of src/server or of scripts with all folders inside it. It also limits the number of files in
 * their folders.
 */
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join, matchesGlob } from 'node:path';

const SHARED = ['domain', 'paths.ts', 'site.ts'];
const FOR_PAGES = ['stores', 'api', 'i18n', 'styles', ...SHARED];
const FOR_BUILD = ['catalogue', 'fonts', 'page-table.ts'];

/**
 * What files may import, besides files in or below their own folder. The first matching row counts. The order of the
 * site is pages → layouts, components → islands → stores → api → domain.
 */
const MAY_IMPORT: readonly (readonly [files: string, imports: readonly string[]])[] = [
  ['src/{domain,i18n,service-worker}/**', ['domain']],
  ['src/api/**', ['api', ...SHARED]],
  ['src/catalogue/**', ['catalogue', 'api', ...SHARED]],
  ['src/stores/**', ['stores', 'api', ...SHARED]],
  // Islands do not import each other. They share islands/ui.
  ['src/islands/**', ['islands/ui', ...FOR_PAGES]],
  // The browser has no build data: an .astro file reads it and passes it on.
  ['src/components/**/*.ts', ['components', ...FOR_PAGES]],
  ['src/components/**', ['components', ...FOR_BUILD, ...FOR_PAGES]],
  ['src/layouts/**', ['layouts', 'components', 'catalogue', 'i18n', 'styles', ...SHARED]],
  ['src/pages/**', ['layouts', 'components', 'islands', ...FOR_BUILD, ...FOR_PAGES]],
  ['src/server/**', ['server', 'api/schema', 'catalogue/images/fetch-image.ts', 'domain', 'site.ts']],
  ['scripts/{check,demo}/**', ['scripts', 'server', 'tests', ...FOR_BUILD, ...FOR_PAGES]],
  [
    'scripts/**',
    [
      'scripts',
      'server',
      'api/build-info.ts',
      'api/requests.ts',
      'api/schema',
      'catalogue/digest.ts',
      'catalogue/unreadable.ts',
      'components/shell/speculation-rules.ts',
      'page-table.ts',
      'service-worker/scope.ts',
      ...SHARED,
    ],
  ],
];

/** Packages that only some files may import. Only src/api sends requests, without React or stores. */
const PACKAGES: Readonly<Record<string, string>> = {
  ky: '{src/{api,server},scripts}/**',
  nanostores: 'src/stores/**',
  react: 'src/{islands,server}/**',
  'react-dom': 'src/{islands,server}/**',
  '@nanostores/react': 'src/islands/**',
};
const OF_DOMAIN = ['node:crypto', 'markdown-it'];

/** From the lowest layer to the highest. Modules of one layer do not import each other. */
const LAYERS = [
  ['server/process', 'scripts/demo', 'scripts/hosting'],
  ['server/http'],
  ['server/settings', 'scripts/serve'],
  ['server/db', 'scripts/build'],
  ['server/limits'],
  ['server/services'],
  ['server/pictures'],
  ['server/admin'],
  ['server/email'],
  ['server/customers'],
  ['server/store', 'server/staff', 'server/stock'],
  ['server/contact'],
  ['server/orders'],
  ['server/ledger'],
  ['server/payments'],
  ['server/catalogue', 'server/fulfilment', 'server/publishing'],
  ['server/privacy'],
  ['server/doctor'],
  ['scripts/publish'],
  ['server/app', 'scripts/check'],
  ['server', 'scripts/start', 'scripts'],
] as const;
const MAX_FILES = 15;

const layerOf = new Map<string, number>(
  LAYERS.flatMap((modules, layer) => modules.map((module) => [module, layer])),
);

/** 'server/fulfilment' of 'src/server/fulfilment/admin/order-page.tsx'; 'scripts' of a file directly in scripts. */
const moduleOf = (file: string): string =>
  dirname(file)
    .replace(/^src\//, '')
    .split('/')
    .slice(0, 2)
    .join('/');

const IMPORT = /^\s*(?:import|export)\s(?:[^'";]*?from\s*)?'([^']+)'|import\('([^']+)'\)/gm;

const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, path = '', later = '']) => path || later);

const problems: string[] = [];

function checkLayer(file: string, imported: string): void {
  const module = moduleOf(file);
  const other = moduleOf(imported.startsWith('./') ? join(dirname(file), imported) : imported.slice(1));
  const [layer = Infinity, otherLayer = -1] = [layerOf.get(module), layerOf.get(other)];
  if (other !== module && otherLayer >= layer)
    problems.push(`${file} imports ${imported}, but ${other} is not on a lower layer than ${module}.`);
}

function mayImport(file: string, imported: string): boolean {
  const row = MAY_IMPORT.find(([files]) => matchesGlob(file, files));
  if (!row || imported.startsWith('./')) return true;
  if (imported.startsWith('#'))
    return row[1].some((name) => imported === `#${name}` || imported.startsWith(`#${name}/`));
  if (file.startsWith('src/domain/')) return OF_DOMAIN.includes(imported);
  const name = imported.startsWith('@') ? imported : imported.replace(/\/.*/, '');
  return matchesGlob(file, PACKAGES[name] ?? '**');
}

const filesIn = new Map<string, number>();
for await (const file of glob('{src,scripts}/**/*.{ts,tsx,astro}')) {
  for (const imported of importsOf(file)) {
    checkLayer(file, imported);
    if (!mayImport(file, imported))
      problems.push(`${file} may not import ${imported}: scripts/check/layers.ts.`);
  }
  if (!/^(?:src\/server|scripts)\//.test(file)) continue;
  filesIn.set(dirname(file), (filesIn.get(dirname(file)) ?? 0) + 1);
  if (!layerOf.has(moduleOf(file)))
    problems.push(`${file}: ${moduleOf(file)} has no layer in scripts/check/layers.ts.`);
}
for (const [folder, files] of filesIn)
  if (files > MAX_FILES) problems.push(`${folder} holds ${files} files, more than ${MAX_FILES}.`);
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
