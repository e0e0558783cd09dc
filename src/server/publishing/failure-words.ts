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

/** Each message of a publication that an editor may meet, what it means, and what to do. $1 is what a group has found. */
const MEANINGS: readonly (readonly [message: RegExp, what: string, advice: string])[] = [
  [/^The catalogue of .* is empty/, 'Not one product is on sale.', 'Bring back what should be on sale.'],
  [
    SHRUNK,
    'Only $2 of $1 products would be left in the shop. That looks like a mistake.',
    'Bring back what should be sold. If it is meant, look below at what goes, and publish it all the same.',
  ],
  [
    /^([\d,]+) of ([\d,]+) products .* cannot be shown/,
    '$1 of $2 products cannot be shown as they are.',
    'Open the products that were changed last, and correct them.',
  ],
  [
    /^Products '(.+)' and '(.+)' would be one file/,
    'The ids $1 and $2 differ in capitals alone.',
    'Take one of the two out of sale, and sell a copy of it, which gets an id of its own.',
  ],
  [
    /^(\S+)\.html links to (\S+), which is not there/,
    'The page /$1 has a link to $2, which does not exist.',
    'Correct the link in the policy or description that has it.',
  ],
  [
    /inline code/,
    'A text has a style or a script in it, which no browser would run.',
    'Take it out of the text.',
  ],
  [
    /^The (address of the shop|seller|grievance officer) is \S/,
    'The $1 is still the one of the demo shop, and the pages would tell that.',
    'Set your own on the Store page.',
  ],
  [/^The disk is full/, 'The server has no room left.', TELL],
  [
    /^The catalogue (?:could not be read|kept changing)/,
    'The catalogue could not be read at that moment.',
    BY_ITSELF,
  ],
  [
    /^Another (?:publication|build)/,
    'Another publication was at work.',
    'Your changes are in it, or come right after it.',
  ],
  [
    /^Release .* is in place, but the command after it failed/,
    'The new pages are ready, but the web server did not take them.',
    BY_ITSELF,
  ],
];

const UNKNOWN: Explained = { what: 'The new pages could not be made.', advice: TELL };

/** What a failure means. One publication may fail for several reasons, a line each. */
export function explained(failure: string): readonly Explained[] {
  const found = failure.split('\n').flatMap((text): Explained[] => {
    const line = text.trim();
    const meaning = MEANINGS.find(([message]) => message.test(line));
    if (!meaning) return [];
    const [message, what, advice] = meaning;
    const parts = message.exec(line) ?? [];
    return [{ what: what.replaceAll(/\$(\d)/g, (_, group: string) => parts[Number(group)] ?? ''), advice }];
  });
  return found.length > 0 ? found : [UNKNOWN];
}
