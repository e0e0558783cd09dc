/*
 * The cart as localStorage keeps it: its lines and behind them, a line each and in white space, which JSON does not see,
 * an id of this text and the ids of those it was made from. By them a tab finds which of its edits others, who had not
 * heard of them, have written over (lost-edits.ts).
 */

const toBlanks = (bits: string): string => bits.replace(/./g, (bit) => (bit > '0' ? '\t' : ' '));

/** Of a text without, as somebody else writes it, and of none, '': by its length. */
export const idOf = (text: string): string =>
  /\n([ \t]+)(\n|$)/.exec(text)?.[1] ?? toBlanks(text.length.toString(2));

export const toCartText = (lines: readonly unknown[], parents: readonly string[]): string =>
  [JSON.stringify(lines), toBlanks(Math.random().toString(2).slice(2, 26)), ...parents].join('\n');
