import type { Value } from './database.ts';

/**
 * Thrown for a text with a zero byte, which the API answers with a 422. PostgreSQL cannot store such a text and no
 * person types one, so it is refused with SQLite too.
 */
export class UnstorableText extends Error {}

/** Returns a statement's values, if every database can store them. @throws UnstorableText */
export function requireStorable(values: readonly Value[]): Value[] {
  if (values.some((value) => typeof value === 'string' && value.includes('\0'))) {
    throw new UnstorableText('A text has a zero byte.');
  }
  return [...values];
}
