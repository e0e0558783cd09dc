import type { DatabaseSync } from 'node:sqlite';
import { isBusy, StorageError, translated } from './storage-error.ts';

/** How long to wait for a lock that another process holds, and how long between two attempts, in ms (faults 79). */
const PATIENCE = 2_000;
const PAUSE = 20;

/** SQLite's result code for the use of a database that is closed. */
const MISUSE = 21;

interface Job {
  readonly run: () => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Commits all writes of a tick together, with a single fsync. They run one after the other in a transaction, each in a
 * savepoint of its own, and none is told of success before the commit.
 */
export function createGroupCommit(sqlite: DatabaseSync) {
  let waiting: Job[] = [];
  let deadline = 0;
  let cancel: (() => void) | undefined;
  let closed = false;

  function flushSoon(): void {
    if (cancel) return;
    const handle = setImmediate(flush);
    cancel = () => clearImmediate(handle);
  }

  function flushLater(): void {
    const handle = setTimeout(flush, PAUSE);
    cancel = () => clearTimeout(handle);
  }

  function rollBack(): void {
    if (sqlite.isTransaction) sqlite.exec('ROLLBACK');
  }

  /** Returns false where another process holds the lock and there is time left to try again. */
  function begin(): boolean {
    try {
      translated(() => {
        rollBack();
        sqlite.exec('BEGIN IMMEDIATE');
      });
      return true;
    } catch (error) {
      if (isBusy(error) && performance.now() < deadline) return false;
      throw error;
    }
  }

  function runJob(job: Job, done: (() => void)[]): void {
    sqlite.exec('SAVEPOINT job');
    try {
      job.run();
      sqlite.exec('RELEASE job');
      done.push(job.resolve);
    } catch (error) {
      // On a full disk SQLite undoes the whole transaction by itself, so every job in it has failed.
      if (!sqlite.isTransaction) throw error;
      sqlite.exec('ROLLBACK TO job; RELEASE job');
      done.push(() => job.reject(error));
    }
  }

  function commit(jobs: readonly Job[]): void {
    const done: (() => void)[] = [];
    try {
      for (const job of jobs) translated(() => runJob(job, done));
      translated(() => sqlite.exec('COMMIT'));
    } catch (error) {
      for (const job of jobs) job.reject(error);
      try {
        rollBack();
      } catch {
        // `begin` rolls back again before the next transaction (faults 79).
      }
      return;
    }
    for (const answer of done) answer();
  }

  function flush(): void {
    cancel = undefined;
    if (waiting.length === 0) return;
    deadline ||= performance.now() + PATIENCE;
    try {
      if (!begin()) {
        flushLater();
        return;
      }
    } catch (error) {
      const refused = waiting;
      waiting = [];
      deadline = 0;
      for (const job of refused) job.reject(error);
      return;
    }
    const jobs = waiting;
    waiting = [];
    deadline = 0;
    commit(jobs);
  }

  return {
    write<T>(work: () => T): Promise<T> {
      if (closed) return Promise.reject(new StorageError(MISUSE, { cause: 'closed' }));
      return new Promise<T>((resolve, reject) => {
        let result: { value: T } | undefined;
        waiting.push({
          run: () => {
            result = { value: work() };
          },
          resolve: () => result && resolve(result.value),
          reject,
        });
        flushSoon();
      });
    },
    /** Stores what is waiting. Whatever comes later is refused. */
    close(): void {
      closed = true;
      cancel?.();
      deadline = -1;
      flush();
    },
  };
}
