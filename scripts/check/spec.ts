/** `npm run spec [-- --missing]` lists the statements of the specification with the tests that name them in a title. */
import { globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { missing: { type: 'boolean' } } });

/** The ids in every `[spec id, id]` of a title, with the file. */
const tests = globSync(['tests/**/*.test.{ts,tsx}', 'tests/support/visits.ts']).flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/\[spec ([^\]]+)\]/g)].flatMap(([, ids = '']) =>
    ids.split(/[,\s]+/).map((id) => ({ id, file })),
  ),
);
const filesOf = Map.groupBy(tests, ({ id }) => id);

/** Every `- **id** text` of the lists. */
const statements = globSync('tests/spec/statements/*.md')
  .toSorted()
  .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/^- \*\*([\w.-]+)\*\* (.+)$/gm)])
  .map(([, id = '', text = '']) => ({ id, text }));

for (const { id, text } of statements) {
  const files = new Set(filesOf.get(id)?.map(({ file }) => file));
  if (values.missing && files.size > 0) continue;
  console.log(`${files.size > 0 ? '✓' : '✗'} ${id}  ${text}`);
  for (const file of files) console.log(`      ${file}`);
}

const ids = new Set(statements.map(({ id }) => id));
const unknown = tests.filter(({ id }) => !ids.has(id));
for (const { id, file } of unknown) console.log(`${file} names ${id}, which is no statement.`);
const proven = statements.filter(({ id }) => filesOf.has(id)).length;
console.log(`${proven} of ${statements.length} statements have a test.`);
process.exitCode =
  unknown.length === 0 && proven === statements.length && ids.size === statements.length ? 0 : 1;
