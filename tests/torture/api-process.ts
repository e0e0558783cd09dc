import { unlimitedVariables } from '#tests/support/api.ts';
import { spawnApi } from '#tests/support/spawn-api.ts';

export interface ApiProcess {
  readonly url: string;
  /** `kill -9`: the process can clean up nothing. */
  readonly kill: () => Promise<void>;
  /** Whether `kill` was called. Only then may its connections break. */
  readonly isKilled: () => boolean;
}

/** Environment variables. */
export type Environment = Readonly<Record<string, string>>;

/** Starts the API without rate limits. @param folder another git checkout @throws if the process ends first */
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
