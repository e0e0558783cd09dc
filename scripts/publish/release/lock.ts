import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { BuildError, stopped } from '#server/process/explained-error.ts';

const TRY_EVERY_MS = 250;

const isBusy = (error: unknown): boolean => error instanceof Error && /locked|busy/i.test(error.message);

/**
 * Takes a lock, or returns undefined if another process has it. An open database holds a lock of the file system,
 * which ends with the process. So a lock is never stale.
 */
function tryLock(file: string): Disposable | undefined {
  mkdirSync(dirname(file), { recursive: true });
  // A file of another user would be opened for reading alone, and lock nothing.
  closeSync(openSync(file, 'a'));
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** Waits until the lock is free. @throws when the signal aborts */
export async function waitForLock(
  file: string,
  onWait: () => void,
  signal?: AbortSignal,
): Promise<Disposable> {
  for (let isReported = false; ; isReported = true) {
    const lock = tryLock(file);
    if (lock) return lock;
    if (!isReported) onWait();
    await wait(TRY_EVERY_MS);
    if (signal?.aborted) throw stopped('SIGTERM');
  }
}

/** Lets only one publication at a time change the releases. @throws BuildError if another is running */
export function lockReleases(root: string): Disposable {
  const lock = tryLock(join(root, '.lock'));
  if (lock) return lock;
  throw new BuildError('Another publication is at work on these releases. Try again when it has ended.');
}
