import * as v from 'valibot';
import { ExplainedError } from '#scripts/program/explained-error.ts';
import { type Conflict, ORDER } from './merge.ts';

const LONGEST = 300;

const shown = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text);

const RecordSchema = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()));

const fieldsOf = (text: string | undefined): Record<string, unknown> | undefined => {
  const parsed = v.safeParse(RecordSchema, text);
  return parsed.success ? parsed.output : undefined;
};

const SIDES = [
  ['database', 'database'],
  ['folder', 'folder'],
  ['imported', 'before'],
] as const;

/** The lines about a value: what each side holds, and what both had before. */
const valueLines = (values: Omit<Conflict, 'name'>, indent: string): string[] =>
  SIDES.map(([side, label]) => `${indent}${label.padEnd(9)} ${shown(values[side] ?? 'is not there')}`);

const textOf = (value: unknown): string | undefined =>
  value === undefined ? undefined : JSON.stringify(value);

/** A conflict for people: of a product, each field that differs. */
function linesOf(conflict: Conflict): string[] {
  const { name, ...values } = conflict;
  const [imported, database, folder] = [values.imported, values.database, values.folder].map(fieldsOf);
  if (name === ORDER) return ['  order: both have put the products into another order'];
  if (!database || !folder) return [`  ${name}`, ...valueLines(values, '    ')];
  const fields = Object.keys({ ...database, ...folder }).filter(
    (field) => textOf(database[field]) !== textOf(folder[field]),
  );
  return [
    `  ${name} '${String(database.title ?? '')}'`,
    ...fields.flatMap((field) => [
      `    ${field}`,
      ...valueLines(
        {
          imported: textOf(imported?.[field]),
          database: textOf(database[field]),
          folder: textOf(folder[field]),
        },
        '      ',
      ),
    ]),
  ];
}

/** Thrown where both the folder and the database have changed the same part. Nothing was changed then. */
export class CatalogueConflicts extends ExplainedError {
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super(
      [
        'Nothing was changed. The folder and the database have both changed since the last import:',
        ...conflicts.flatMap(linesOf),
        "Say whose values to take: 'npm run catalogue -- --take folder' or '--take database' for all of them,",
        `or for one of them, such as '--take folder:${conflicts[0]?.name}', and so on for the others.`,
      ].join('\n'),
    );
    this.conflicts = conflicts;
  }
}
