/* Reads values that were stored by another version, or changed by anyone. */

/** The prefix of every stored key, because other programs on the same origin share the storage. */
export const OWN = 'fresh-fruits.';

/** A missing text is not parsed as '', because throwing and catching an error delays every page. */
export function parseJson(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text || 'null');
  } catch {
    return undefined;
  }
}

export type Fields<Key extends string> = Partial<Record<Key, unknown>>;

export const fieldsOf = <Key extends string>(value: unknown): Fields<Key> =>
  typeof value === 'object' ? { ...value } : {};

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const isStringArray = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
