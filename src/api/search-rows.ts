import type { SearchRow } from '#domain/search.ts';

const TIMEOUT_MS = 10_000;

/* By hand, like the listing's files: the rows are the build's own. */
const isRow = (value: unknown): value is SearchRow =>
  Array.isArray(value) &&
  typeof value[0] === 'number' &&
  value.slice(1).every((text) => typeof text === 'string');

/** A file of the search; nothing where it cannot be had. */
export async function fetchSearchRows(path: string): Promise<readonly SearchRow[] | undefined> {
  try {
    const response = await fetch(path, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const rows: unknown = await response.json();
    return Array.isArray(rows) && rows.every(isRow) ? rows : undefined;
  } catch {
    return undefined;
  }
}
