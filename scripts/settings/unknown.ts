import { SETTINGS } from './table.ts';

/** Variables of other programs that may stand in the file, because PUBLISH_AFTER or pg_dump reads them. */
const OTHERS = /^(AWS|PG|NODE|SSL)_?[A-Z_]+$/;

/** How many letters must be put in, taken out or replaced to make one word of the other. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1];
    for (const [column, other] of [...to].entries()) {
      const [above = 0, aside = 0] = [row[column + 1], next[column]];
      next.push(Math.min(above + 1, aside + 1, (row[column] ?? 0) + (letter === other ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** More letters than this apart, two names have nothing to do with each other. */
const NEAR = 3;

/** Names what is no setting of the shop, with the setting that was probably meant. */
export const unknownSettings = (names: readonly string[]): string[] =>
  names
    .filter((name) => !Object.hasOwn(SETTINGS, name) && !OTHERS.test(name))
    .map((name) => {
      const [nearest] = Object.keys(SETTINGS)
        .map((known) => ({ known, far: distance(name.toUpperCase(), known) }))
        .filter(({ far }) => far <= NEAR)
        .sort((a, b) => a.far - b.far);
      return `${name} is no setting of the shop.${nearest ? ` Do you mean ${nearest.known}?` : ''}`;
    });
