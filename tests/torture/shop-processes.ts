import { type ApiProcess, type Environment, startProcess } from './api-process.ts';
import type { Storage } from './storage.ts';

/** After so many ms without an order, a process counts as broken. */
const GIVE_UP = 30_000;

/** API processes that share a database. */
export interface ShopProcesses {
  readonly storage: Storage;
  /** Returns the processes in turn, as a proxy without health checks. It may return a killed one. */
  readonly next: () => ApiProcess;
  readonly processes: readonly ApiProcess[];
  /** `kill -9`, and starts another process in its place. */
  readonly restart: (slot: number) => Promise<void>;
  /** Call this for each acknowledged order. */
  readonly onOrder: (by: ApiProcess) => void;
  /** Resolves when every process has taken an order from now on. Rejects if one does not. */
  readonly untilAllSell: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function startShop(
  storage: Storage,
  count: number,
  settings: Environment = {},
): Promise<ShopProcesses> {
  // They start at once, on an empty database.
  const processes = await Promise.all(
    Array.from({ length: count }, () => startProcess(storage.address, settings)),
  );
  let turn = 0;
  let onSold = (_by: ApiProcess): void => undefined;

  return {
    storage,
    processes,
    next() {
      turn = (turn + 1) % processes.length;
      const process = processes[turn];
      if (!process) throw new Error('The shop has no process.');
      return process;
    },
    async restart(slot) {
      await processes[slot]?.kill();
      processes[slot] = await startProcess(storage.address, settings);
    },
    onOrder: (by) => onSold(by),
    untilAllSell() {
      const silent = new Set(processes);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const late = setTimeout(
        () => reject(new Error(`${silent.size} processes did not sell again`)),
        GIVE_UP,
      );
      onSold = (by) => {
        silent.delete(by);
        if (silent.size === 0) resolve();
      };
      return promise.finally(() => clearTimeout(late));
    },
    async close() {
      await Promise.all(processes.map((process) => process.kill()));
    },
  };
}
