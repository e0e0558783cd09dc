import { glob, readFile } from 'node:fs/promises';

/** A statement of a checked-in list, where it is written as `- **id** text`. */
export type Statement = { id: string; text: string };
export type Group = { title: string; statements: Statement[] };

/** The checked-in lists, keyed by the word that cites them, as in `[fault 21]`. */
const LISTS = {
  spec: 'tests/spec/statements/*.md',
  fault: 'tests/spec/faults.md',
  resolution: 'tests/spec/resolutions.md',
} as const;

const HEADING = /^#{1,2} (.+)$/;
const STATEMENT = /^- \*\*([\w.-]+)\*\* (.+)$/;

/** Parses the statements of a Markdown list, grouped by heading. Throws when an id is there twice. */
export const parseStatements = (markdown: string): Group[] => {
  const groups: Group[] = [];
  const seen = new Set<string>();
  for (const line of markdown.split('\n')) {
    const title = HEADING.exec(line)?.[1];
    if (title) groups.push({ title, statements: [] });
    const [, id, text] = STATEMENT.exec(line) ?? [];
    if (!id || !text) continue;
    if (seen.has(id)) throw new Error(`The statement ${id} is there twice.`);
    seen.add(id);
    groups.at(-1)?.statements.push({ id, text });
  }
  return groups;
};

export const readList = async (list: keyof typeof LISTS): Promise<Group[]> => {
  const files: string[] = [];
  for await (const file of glob(LISTS[list])) files.push(file);
  const texts = await Promise.all(files.toSorted().map((file) => readFile(file, 'utf8')));
  return parseStatements(texts.join('\n'));
};
