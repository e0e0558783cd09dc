import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { isBusy, StorageError, sqliteError } from '#server/db/errors.ts';

/** How long to wait for another process's lock, and the pause between two attempts, in ms. */
const RETRY_TIME = 2_000;

const PAUSE = 20;

/** SQLite's result code for the use of a database that is closed. */
const MISUSE = 21;

/** Runs SQL. @throws StorageError if the storage fails */
export function withStorageErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw sqliteError(error);
  }
}

interface Job {
  readonly run: () => Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Commits all writes of one turn of the event loop together, with a single fsync. The writes run one after the other in
 * a transaction, each in a savepoint of its own. A write resolves only after the commit.
 */
export function createGroupCommit(sqlite: DatabaseSync) {
  let waiting: Job[] = [];
  let flushing = Promise.resolve();
  let closed = false;

  /** Only one transaction at a time can run on the connection. */
  function flushInTurn(): Promise<void> {
    flushing = flushing.then(flush);
    return flushing;
  }

  function rollBack(): void {
    if (sqlite.isTransaction) sqlite.exec('ROLLBACK');
  }

  /** Begins a transaction, as soon as no other process holds the lock. */
  async function begin(): Promise<void> {
    const deadline = performance.now() + RETRY_TIME;
    for (;;) {
      try {
        return withStorageErrors(() => {
          rollBack();
          sqlite.exec('BEGIN IMMEDIATE');
        });
      } catch (error) {
        if (!isBusy(error) || closed || performance.now() >= deadline) throw error;
      }
      await pause(PAUSE);
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

  async function flush(): Promise<void> {
    if (waiting.length === 0) return;
    let jobs = waiting;
    const answers: (() => void)[] = [];
    try {
      await begin().finally(() => {
        jobs = waiting;
        waiting = [];
      });
      for (const job of jobs) await runJob(job, answers);
      sqlite.exec('COMMIT');
    } catch (error) {
      for (const job of jobs) job.reject(sqliteError(error));
      try {
        rollBack();
      } catch {
        // `begin` rolls back again before the next transaction.
      }
      return;
    }
    for (const answer of answers) answer();
  }

  return {
    write<T>(work: () => Promise<T>): Promise<T> {
      if (closed) return Promise.reject(new StorageError(MISUSE, { cause: 'closed' }));
      return new Promise<T>((resolve, reject) => {
        let result: { value: T } | undefined;
        if (waiting.length === 0) setImmediate(flushInTurn);
        waiting.push({
          run: async () => {
            result = { value: await work() };
          },
          resolve: () => result && resolve(result.value),
          reject,
        });
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
