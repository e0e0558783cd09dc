const RETRIED =
  'Your changes are saved. It is retried automatically. If it keeps failing, contact your administrator.';

const CONTACT = 'Your changes are saved. Contact your administrator, and show them the message below.';

const SHRUNK = /went from ([\d,]+) to ([\d,]+) products/;

/** Whether a publication was refused because it would remove too many products. */
export const isShrinkRefusal = (failure: string): boolean => SHRUNK.test(failure);

/** Messages of a publication, what they mean to an editor, and what to do. $1 is a group of the pattern. */
const MEANINGS: readonly (readonly [message: RegExp, what: string, advice: string])[] = [
  [/^The catalogue of .* is empty/, 'The shop sells no product.', 'Bring back what should be sold.'],
  [
    SHRUNK,
    'Only $2 of $1 products would be left in the shop. That looks like a mistake.',
    'Bring back what should be sold. If it is intended, check the removed products below, and publish anyway.',
  ],
  [
    /^([\d,]+) of ([\d,]+) products .* cannot be shown/,
    '$1 of $2 products cannot be shown as they are.',
    'Open the products that were changed last, and correct them.',
  ],
  [
    /^Products '(.+)' and '(.+)' would be one file/,
    'The ids $1 and $2 differ only in capital letters.',
    'Discontinue one of the two, and sell a copy of it, which gets a new id.',
  ],
  [
    /^(\S+)\.html links to (\S+), which is not there/,
    'The page /$1 has a link to $2, which does not exist.',
    'Correct the link in the policy or description that has it.',
  ],
  [
    /inline code/,
    'A text contains a style or a script, which no browser would run.',
    'Remove it from the text.',
  ],
  [
    /^The (address of the shop|seller|grievance officer) is \S/,
    'The $1 is still the one of the demo shop, and the pages would show it.',
    'Set your own on the Store page.',
  ],
  [
    /^\S+ (?:belongs to .+ may not write it|may not be written by)/,
    'The server may not write its own files.',
    CONTACT,
  ],
  [/^The disk is full/, 'The server has no room left.', CONTACT],
  [
    /^The catalogue (?:could not be read|kept changing)/,
    'The catalogue could not be read at that moment.',
    RETRIED,
  ],
  [
    /^Another (?:publication|build)/,
    'Another publication was running.',
    'Your changes are in it, or come right after it.',
  ],
  [
    /^Release .* is in place, but the command after it failed/,
    'The new pages are ready, but the web server did not load them.',
    RETRIED,
  ],
];

/** Explains a failure to editors. One publication can fail for several reasons, one per line. */
export function explainFailure(failure: string) {
  const found = failure.split('\n').flatMap((line) => {
    const [message, what = '', advice = ''] = MEANINGS.find(([pattern]) => pattern.test(line.trim())) ?? [];
    const parts = message?.exec(line.trim());
    return parts
      ? [{ what: what.replaceAll(/\$(\d)/g, (_, group) => parts[Number(group)] ?? ''), advice }]
      : [];
  });
  return found.length > 0 ? found : [{ what: 'The new pages could not be made.', advice: CONTACT }];
}
