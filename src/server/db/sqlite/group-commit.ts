import type { DatabaseSync } from 'node:sqlite';
import { StorageError } from '#server/db/errors.ts';
import { isBusy, storageError, withStorageErrors } from './sqlite-error.ts';

/** How long to wait for another process's lock, and the pause between two attempts, in ms. */
const RETRY_TIME = 2_000;

const PAUSE = 20;

/** SQLite's result code for the use of a database that is closed. */
const MISUSE = 21;

interface Job {
  readonly run: () => Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Commits all writes of one turn of the event loop together, with a single fsync. The writes run one after the other in a
 * transaction, each in a savepoint of its own. The caller of a write learns of its success only after the commit.
 */
export function createGroupCommit(sqlite: DatabaseSync) {
  let waiting: Job[] = [];
  let flushing = Promise.resolve();
  let deadline = 0;
  let isScheduled = false;
  let closed = false;

  /** Only one transaction at a time can run on the connection. */
  function flushInTurn(): Promise<void> {
    isScheduled = false;
    flushing = flushing.then(flush);
    return flushing;
  }

  function flushSoon(): void {
    if (!isScheduled) setImmediate(flushInTurn);
    isScheduled = true;
  }

  function flushLater(): void {
    setTimeout(flushInTurn, PAUSE);
    isScheduled = true;
  }

  function rollBack(): void {
    if (sqlite.isTransaction) sqlite.exec('ROLLBACK');
  }

  /** Begins a transaction. Returns false if another process holds the lock and there is time to try again. */
  function begin(): boolean {
    try {
      withStorageErrors(() => {
        rollBack();
        sqlite.exec('BEGIN IMMEDIATE');
      });
      return true;
    } catch (error) {
      if (isBusy(error) && !closed && performance.now() < deadline) return false;
      throw error;
    }
  }

  async function runJob(job: Job, answers: (() => void)[]): Promise<void> {
    sqlite.exec('SAVEPOINT job');
    try {
      await job.run();
      sqlite.exec('RELEASE job');
      answers.push(job.resolve);
    } catch (error) {
      // On a full disk SQLite rolls back the whole transaction, so every job in it has failed.
      if (!sqlite.isTransaction) throw error;
      sqlite.exec('ROLLBACK TO job; RELEASE job');
      answers.push(() => job.reject(error));
    }
  }

  async function commit(jobs: readonly Job[]): Promise<void> {
    const answers: (() => void)[] = [];
    try {
      for (const job of jobs) await runJob(job, answers);
      sqlite.exec('COMMIT');
    } catch (error) {
      for (const job of jobs) job.reject(storageError(error));
      try {
        rollBack();
      } catch {
        // `begin` rolls back again before the next transaction.
      }
      return;
    }
    for (const answer of answers) answer();
  }

  function takeWaiting(): Job[] {
    const jobs = waiting;
    waiting = [];
    deadline = 0;
    return jobs;
  }

  async function flush(): Promise<void> {
    if (waiting.length === 0) return;
    deadline ||= performance.now() + RETRY_TIME;
    try {
      if (!begin()) return flushLater();
    } catch (error) {
      for (const job of takeWaiting()) job.reject(error);
      return;
    }
    await commit(takeWaiting());
  }

  return {
    write<T>(work: () => Promise<T>): Promise<T> {
      if (closed) return Promise.reject(new StorageError(MISUSE, { cause: 'closed' }));
      return new Promise<T>((resolve, reject) => {
        let result: { value: T } | undefined;
        waiting.push({
          run: async () => {
            result = { value: await work() };
          },
          resolve: () => result && resolve(result.value),
          reject,
        });
        flushSoon();
      });
    },
    /** Resolves when the transaction that runs now has ended. */
    settled: (): Promise<void> => flushing,
    /** Finishes the pending writes. Later ones are refused. */
    close(): Promise<void> {
      closed = true;
      return flushInTurn();
    },
  };
}
