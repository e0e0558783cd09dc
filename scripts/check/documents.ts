/**
 * Checks that the files and npm scripts in documents exist. A path is relative to the document or to the project, or is
 * the end of a file's path.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n');
const exists = (path: string): boolean =>
  files.some((file) => `${file}/`.startsWith(`${path}/`) || file.endsWith(`/${path}`));
const { scripts }: { scripts: object } = JSON.parse(readFileSync('package.json', 'utf8'));
const documents = files.filter((file) => /^(?!tests\/spec|.*(?:CHANGELOG|\/policies\/)).*\.md$/.test(file));

/** `src/paths.ts` in code, and the target of a link. */
const PATH = /`([\w@.-][\w@./-]*\.(?:tsx?|astro|css|mjs|json|sh|conf|yml|md))`|\]\(([^):#]+)[#)]/g;
const SCRIPT = /npm run ([\w:-]+)/g;

const problems = documents.flatMap((document) => {
  const text = readFileSync(document, 'utf8');
  const paths = [...text.matchAll(PATH)].map(([, code, link = '']) => code ?? link);
  const names = [...text.matchAll(SCRIPT)].map(([, name = '']) => name);
  return [
    ...paths.filter((path) => !exists(path) && !exists(join(dirname(document), path))),
    ...names.filter((name) => !(name in scripts)).map((name) => `npm run ${name}`),
  ].map((name) => `${document}: '${name}' does not exist.`);
});
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
