import { UNLIMITED } from '#tests/support/api.ts';
import { spawnApi } from '#tests/support/spawn-api.ts';
import type { Storage } from './storage.ts';

/** Environment variables. */
type Environment = Readonly<Record<string, string>>;

/** Starts the API without rate limits. @param folder another git checkout @throws if the process ends first */
export async function startProcess(database: string, settings: Environment = {}, folder?: string) {
  const environment = { LIMIT_FACTOR: String(UNLIMITED.limitFactor), DATABASE: database, ...settings };
  const { child, exited, output, ignoreOutput, ...api } = spawnApi(environment, folder);
  const url = await api.url;
  if (url === '') throw new Error(`The API ended:\n${output()}`);
  ignoreOutput();
  let killed = false;
  return {
    url,
    /** Whether `kill` was called. Only then may its connections break. */
    isKilled: () => killed,
    /** A paused process uses no processor, so that another one can be measured. */
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    /** `kill -9`: the process can clean up nothing. */
    kill: async (): Promise<void> => {
      killed = true;
      child.kill('SIGKILL');
      await exited;
    },
  };
}

export type ApiProcess = Awaited<ReturnType<typeof startProcess>>;

/** Starts API processes that share a database. */
export async function startShop(storage: Storage, count: number, settings: Environment = {}) {
  const start = () => startProcess(storage.address, settings);
  // They start at once, on an empty database.
  const processes = await Promise.all(Array.from({ length: count }, start));
  let turn = 0;
  let onOrder = (_by: ApiProcess): void => undefined;

  return {
    storage,
    /** Returns the processes in turn, as a proxy without health checks. It may return a killed one. */
    next(): ApiProcess {
      turn = (turn + 1) % processes.length;
      const process = processes[turn];
      if (!process) throw new Error('The shop has no process.');
      return process;
    },
    /** `kill -9`, and starts another process in its place. */
    async restart(slot: number): Promise<void> {
      await processes[slot]?.kill();
      processes[slot] = await start();
    },
    /** Call this for each acknowledged order. */
    onOrder: (by: ApiProcess): void => onOrder(by),
    /** Resolves when every process has taken an order from now on. */
    untilAllSell(): Promise<void> {
      const silent = new Set(processes);
      const { promise, resolve } = Promise.withResolvers<void>();
      onOrder = (by) => {
        silent.delete(by);
        if (silent.size === 0) resolve();
      };
      return promise;
    },
    close: async (): Promise<void> => void (await Promise.all(processes.map(({ kill }) => kill()))),
  };
}

export type ShopProcesses = Awaited<ReturnType<typeof startShop>>;
