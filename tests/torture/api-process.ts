import { unlimitedVariables } from '#tests/support/api.ts';
import { spawnApi } from '#tests/support/spawn-api.ts';

export interface ApiProcess {
  readonly url: string;
  /** `kill -9`: the process can finish nothing and catch nothing. */
  readonly kill: () => Promise<void>;
  /** Whether `kill` was called. Its connections may break then, and only then. */
  readonly isKilled: () => boolean;
}

/** The settings of an API process, by the names of their variables. */
export type Environment = Readonly<Record<string, string>>;

/** Starts the API, of a git checkout where a folder names one, without rate limits, and waits until it has its database. Throws if it ends before. */
export async function startProcess(
  database: string,
  settings: Environment = {},
  folder?: string,
): Promise<ApiProcess> {
  const environment = { ...unlimitedVariables(), ORDERS_LISTED: '1000000', DATABASE: database, ...settings };
  const { child, exited, output, ignoreOutput, ...api } = spawnApi(environment, folder);
  const url = await api.url;
  if (url === '') throw new Error(`The API ended:\n${output()}`);
  ignoreOutput();
  let killed = false;
  return {
    url,
    isKilled: () => killed,
    kill: async () => {
      killed = true;
      child.kill('SIGKILL');
      await exited;
    },
  };
}
