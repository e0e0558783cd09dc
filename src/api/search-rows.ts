import type { SearchRow } from '#domain/search.ts';

const TIMEOUT_MS = 10_000;

/* Checked without valibot, as in fragment.ts. */
const isRow = (value: unknown): value is SearchRow =>
  Array.isArray(value) &&
  typeof value[0] === 'number' &&
  value.slice(1).every((text) => typeof text === 'string');

/** Fetches a file of the search index. Resolves to undefined on failure. */
export async function fetchSearchRows(path: string): Promise<readonly SearchRow[] | undefined> {
  try {
    const response = await fetch(path, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const rows: unknown = await response.json();
    return Array.isArray(rows) && rows.every(isRow) ? rows : undefined;
  } catch {
    return undefined;
  }
}
