/** What may be cited by number: the ids of each list, by the word that cites them. */
export type Known = ReadonlyMap<string, ReadonlySet<string>>;

/** A citation that leads nowhere, and the line in which it stands. */
export type Broken = { line: number; cites: string };

type Found = { index: number; cites: string };

/** Comments of TypeScript, Astro, CSS and YAML. A `/*` inside a text, such as a glob's, stands behind no blank. */
const COMMENT = /(?<=^|[\s{])(?:\/\*[\s\S]*?\*\/|\/\/.*|<!--[\s\S]*?-->|# .*)/gm;
/** A file or folder of the repository, or any Markdown file. */
const FILE = /(?<![\w./\-:[\]]|\]\()(?:(?:\.github|scripts|src|tests)\/[\w./\-[\]]*\w|[\w./-]+\.md\b)/g;
const LINK = /(?<=\]\()[^)#:\s]+(?=[)#])/g;
/** A comment may wrap between the word and its number. */
const GAP = String.raw`[\s*/]+`;
const NUMBER = String.raw`\d+[a-z]?(?:\.[a-z]+\.\d+)?`;
const NUMBERS = `${NUMBER}(?:(?:,${GAP}| and${GAP}|-)${NUMBER})*`;

const find = (text: string, pattern: RegExp): Found[] =>
  [...text.matchAll(pattern)].map(({ index, 0: cites }) => ({ index, cites }));

/** Of every 'word 1, 2 and 3' the numbers that are not known. */
const unknownNumbers = (text: string, word: string, ids: ReadonlySet<string>): Found[] =>
  find(text, new RegExp(`\\b${word}s?${GAP}${NUMBERS}\\b`, 'gi')).flatMap(({ index, cites }) =>
    find(cites, new RegExp(NUMBER, 'g'))
      .filter(({ cites: number }) => !ids.has(number))
      .map(({ cites: number }) => ({ index, cites: `${word} ${number}` })),
  );

/** A list's word in brackets that no number follows. */
const withoutNumber = (text: string, words: readonly string[]): Found[] =>
  find(text, new RegExp(`(?<=[(;]\\s*)(?:${words.join('|')})s?(?=[,;)])`, 'gi')).map(({ index, cites }) => ({
    index,
    cites: `${cites} without a number`,
  }));

/** The text with all but its comments blanked, every character at its place. */
const commentsOf = (text: string): string => {
  let blanked = text.replaceAll(/[^\n]/g, ' ');
  for (const { index, cites } of find(text, COMMENT))
    blanked = blanked.slice(0, index) + cites + blanked.slice(index + cites.length);
  return blanked;
};

/**
 * The citations of a file that lead nowhere. Numbers count wherever they stand, as in the title of a test; files and
 * lists without a number in comments and Markdown alone.
 */
export function findBroken(
  file: string,
  text: string,
  known: Known,
  exists: (path: string, from: string) => boolean,
): Broken[] {
  const isMarkdown = file.endsWith('.md');
  const prose = isMarkdown ? text : commentsOf(text);
  const files = [...find(prose, FILE), ...(isMarkdown ? find(prose, LINK) : [])];
  const broken = [
    ...[...known].flatMap(([word, ids]) => unknownNumbers(text, word, ids)),
    ...withoutNumber(isMarkdown ? '' : prose, [...known.keys()]),
    ...files.filter(({ cites }) => !exists(cites, file)),
  ];
  return broken
    .toSorted((one, other) => one.index - other.index)
    .map(({ index, cites }) => ({ line: text.slice(0, index).split('\n').length, cites }));
}
