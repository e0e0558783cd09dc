import { foldText } from '#domain/fold-text.ts';
import { readNumber } from '#domain/number-input.ts';
import { tidyText } from '#domain/text.ts';
import type { Pieces } from './stock-facts.ts';

/* Stock as the staff read and type it: '12', or a line such as 'M: 5' for each size. */

const MAX_PIECES = 1_000_000;

/** @param sizes of the product, in whose order they are listed */
export const stockText = (pieces: Pieces, sizes: readonly string[] = [], separator = '; '): string =>
  [...new Set([...sizes.filter((size) => pieces.has(size)), ...pieces.keys()])]
    .map((size) => (size === '' ? '' : `${size}: `) + String(pieces.get(size)))
    .join(separator);

/**
 * Reads a typed stock. Returns an error if it cannot be used; it follows the name of its field.
 * @param sizes of the product; without them any size is accepted
 */
export function readStock(text: string, sizes?: readonly string[]): Pieces | string {
  const pieces = new Map<string, number>();
  for (const line of text.split(/[\n;]/).map(tidyText).filter(Boolean)) {
    const colon = line.lastIndexOf(':');
    const named = line.slice(0, Math.max(0, colon)).trim();
    const count = readNumber(line.slice(colon + 1)) ?? Number.NaN;
    if (!Number.isInteger(count) || count > MAX_PIECES)
      return 'must be a whole number, or a line such as M: 5 for each size';
    const size = sizes?.find((each) => foldText(each) === foldText(named)) ?? named;
    if (sizes && size !== '' && !sizes.includes(size)) return `names ${size}, which is not one of the sizes`;
    if (pieces.has(size)) return size === '' ? 'must be one number' : `names ${size} twice`;
    pieces.set(size, count);
  }
  const missing = pieces.size === 0 || pieces.has('') ? undefined : sizes?.find((size) => !pieces.has(size));
  if (missing !== undefined) return `lacks ${missing}: write 0 if it is sold out`;
  return pieces.has('') && pieces.size > 1 ? 'must be one number, or a line for each size' : pieces;
}
