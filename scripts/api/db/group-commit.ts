import type { DatabaseSync } from 'node:sqlite';
import { isBusy, StorageError, translated } from './storage-error.ts';

/** How long a lock held by another process is waited for, and how often it is tried, in ms (faults 79). */
const PATIENCE = 2_000;
const PAUSE = 20;

/** SQLite's code for using what is closed. */
const MISUSE = 21;

interface Job {
  readonly run: () => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One fsync for all the writes of a tick: they run one after the other in a transaction, each in a savepoint of its
 * own, and are answered only after the commit.
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

  /** False when somebody else holds the lock and there is still patience left. */
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
      // A full disk makes SQLite undo the whole transaction by itself; nobody in it may be told of success.
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
        // What cannot be undone now is undone before the next transaction begins (faults 79).
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
    /** Stores what is waiting; what comes later is refused. */
    close(): void {
      closed = true;
      cancel?.();
      deadline = -1;
      flush();
    },
  };
}
