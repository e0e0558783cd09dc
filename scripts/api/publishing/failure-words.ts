/** Why a publication failed, in an editor's words. */
export interface Explained {
  readonly what: string;
  readonly advice: string;
}

const BY_ITSELF =
  'Your changes are saved. It is tried again by itself; if that lasts, tell whoever looks after the shop.';

const TELL = 'Your changes are saved. Tell whoever looks after the shop, and show them the message below.';

const SHRUNK = /went from ([\d,]+) to ([\d,]+) products/;

/** Whether a publication was refused because too many products would go. */
export const isShrunk = (failure: string): boolean => SHRUNK.test(failure);

/** Each message of a publication that an editor may meet. */
const MEANINGS: readonly (readonly [RegExp, (...found: string[]) => Explained])[] = [
  [
    /^The catalogue of .* is empty/,
    () => ({ what: 'Not one product is on sale.', advice: 'Bring back what should be on sale.' }),
  ],
  [
    SHRUNK,
    (from, to) => ({
      what: `Only ${to} of ${from} products would be left in the shop. That looks like a mistake.`,
      advice:
        'Bring back what should be sold. If it is meant, look below at what goes, and publish it all the same.',
    }),
  ],
  [
    /^([\d,]+) of ([\d,]+) products .* cannot be shown/,
    (broken, all) => ({
      what: `${broken} of ${all} products cannot be shown as they are.`,
      advice: 'Open the products that were changed last, and correct them.',
    }),
  ],
  [
    /^Products '(.+)' and '(.+)' would be one file/,
    (one, other) => ({
      what: `The ids ${one} and ${other} differ in capitals alone.`,
      advice: 'Take one of the two out of sale, and sell a copy of it, which gets an id of its own.',
    }),
  ],
  [
    /^(\S+)\.html links to (\S+), which is not there/,
    (page, target) => ({
      what: `The page /${page} has a link to ${target}, which does not exist.`,
      advice: 'Correct the link in the policy or description that has it.',
    }),
  ],
  [
    /inline code/,
    () => ({
      what: 'A text has a style or a script in it, which no browser would run.',
      advice: 'Take it out of the text.',
    }),
  ],
  [
    /^The (address of the shop|seller|grievance officer) is \S/,
    (name) => ({
      what: `The ${name} is still the one of the demo shop, and the pages would tell that.`,
      advice: 'Set your own on the Store page.',
    }),
  ],
  [/^The disk is full/, () => ({ what: 'The server has no room left.', advice: TELL })],
  [
    /^The catalogue (?:could not be read|kept changing)/,
    () => ({ what: 'The catalogue could not be read at that moment.', advice: BY_ITSELF }),
  ],
  [
    /^Another (?:publication|build)/,
    () => ({
      what: 'Another publication was at work.',
      advice: 'Your changes are in it, or come right after it.',
    }),
  ],
  [
    /^Release .* is in place, but the command after it failed/,
    () => ({ what: 'The new pages are ready, but the web server did not take them.', advice: BY_ITSELF }),
  ],
];

const UNKNOWN: Explained = { what: 'The new pages could not be made.', advice: TELL };

/** What a failure means. One publication may fail for several reasons, a line each. */
export function explained(failure: string): readonly Explained[] {
  const found = failure.split('\n').flatMap((line) =>
    MEANINGS.flatMap(([pattern, meaning]) => {
      const match = pattern.exec(line.trim());
      return match ? [meaning(...match.slice(1))] : [];
    }).slice(0, 1),
  );
  return found.length > 0 ? found : [UNKNOWN];
}
