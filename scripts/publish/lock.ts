import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BuildError } from './build-error.ts';

const isBusy = (error: unknown): boolean => error instanceof Error && /locked|busy/i.test(error.message);

/**
 * Lets one publication at a time work on the releases. The lock is the file system's own, held by an open database:
 * it ends with its process, however that ends, so none is ever stale.
 * @throws BuildError when another publication is at work
 */
export function lockReleases(root: string): { release: () => void } {
  mkdirSync(root, { recursive: true });
  const database = new DatabaseSync(join(root, '.lock'), { timeout: 0 });
  try {
    database.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    throw new BuildError('Another publication is at work on these releases. Try again when it has ended.');
  }
  return { release: () => database.close() };
}
