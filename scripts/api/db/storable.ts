import type { Value } from './database.ts';

/** A text that PostgreSQL cannot store, and that nobody typed. SQLite refuses it as well. The answer is a 422. */
export class UnstorableText extends Error {}

/** @throws UnstorableText for a zero byte */
export function storable(values: readonly Value[]): Value[] {
  if (values.some((value) => typeof value === 'string' && value.includes('\0'))) {
    throw new UnstorableText('A text has a zero byte.');
  }
  return [...values];
}
