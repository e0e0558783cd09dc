/** The ids of each list that may be cited by number, keyed by the word that cites them. */
export type CitableIds = ReadonlyMap<string, ReadonlySet<string>>;

/** A citation of something that does not exist, with its line number. */
export type BrokenCitation = { line: number; cites: string };

type Match = { index: number; cites: string };

/** Comments of TypeScript, Astro, CSS and YAML. A `/*` inside a string, as in a glob, has no space before it. */
const COMMENT = /(?<=^|[\s{])(?:\/\*[\s\S]*?\*\/|\/\/.*|<!--[\s\S]*?-->|# .*)/gm;
/** A file or folder of the repository, or any Markdown file. */
const FILE = /(?<![\w./\-:[\]]|\]\()(?:(?:\.github|scripts|src|tests)\/[\w./\-[\]]*\w|[\w./-]+\.md\b)/g;
const LINK = /(?<=\]\()[^)#:\s]+(?=[)#])/g;
/** A comment may break the line between the word and its number. */
const GAP = String.raw`[\s*/]+`;
const NUMBER = String.raw`\d+[a-z]?(?:\.[a-z]+\.\d+)?`;
const NUMBERS = `${NUMBER}(?:(?:,${GAP}| and${GAP}|-)${NUMBER})*`;

const findAll = (text: string, pattern: RegExp): Match[] =>
  [...text.matchAll(pattern)].map(({ index, 0: cites }) => ({ index, cites }));

/** The numbers in every 'word 1, 2 and 3' that are not in the list. */
const unknownNumbers = (text: string, word: string, ids: ReadonlySet<string>): Match[] =>
  findAll(text, new RegExp(`\\b${word}s?${GAP}${NUMBERS}\\b`, 'gi')).flatMap(({ index, cites }) =>
    findAll(cites, new RegExp(NUMBER, 'g'))
      .filter(({ cites: number }) => !ids.has(number))
      .map(({ cites: number }) => ({ index, cites: `${word} ${number}` })),
  );

/** The places in brackets where the word of a list has no number after it. */
const withoutNumber = (text: string, words: readonly string[]): Match[] =>
  findAll(text, new RegExp(`(?<=[(;]\\s*)(?:${words.join('|')})s?(?=[,;)])`, 'gi')).map(
    ({ index, cites }) => ({
      index,
      cites: `${cites} without a number`,
    }),
  );

/** The text with everything except comments replaced by spaces, so that every character keeps its position. */
const commentsOf = (text: string): string => {
  let blanked = text.replaceAll(/[^\n]/g, ' ');
  for (const { index, cites } of findAll(text, COMMENT))
    blanked = blanked.slice(0, index) + cites + blanked.slice(index + cites.length);
  return blanked;
};

/**
 * Finds the citations in a file that lead nowhere. Cited numbers are checked everywhere, such as in the title of a
 * test; cited files and lists without a number only in comments and Markdown.
 */
export function findBroken(
  file: string,
  text: string,
  citableIds: CitableIds,
  exists: (path: string, from: string) => boolean,
): BrokenCitation[] {
  const isMarkdown = file.endsWith('.md');
  const prose = isMarkdown ? text : commentsOf(text);
  const files = [...findAll(prose, FILE), ...(isMarkdown ? findAll(prose, LINK) : [])];
  const broken = [
    ...[...citableIds].flatMap(([word, ids]) => unknownNumbers(text, word, ids)),
    ...withoutNumber(isMarkdown ? '' : prose, [...citableIds.keys()]),
    ...files.filter(({ cites }) => !exists(cites, file)),
  ];
  return broken
    .toSorted((one, other) => one.index - other.index)
    .map(({ index, cites }) => ({ line: text.slice(0, index).split('\n').length, cites }));
}
