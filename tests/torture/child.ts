import { spawnApi } from '#tests/support/spawn-api.ts';

export interface ApiProcess {
  readonly url: string;
  /** `kill -9`: the process can finish nothing and catch nothing. */
  readonly kill: () => Promise<void>;
  /** Whether `kill` was called. Its connections may break then, and only then. */
  readonly isKilled: () => boolean;
}

const NO_LIMITS = {
  LIMIT_REGISTER: '1000000',
  LIMIT_ORDERS: '1000000',
  ORDERS_LISTED: '1000000',
  LIMIT_SIGN_IN: '1000000',
  LIMIT_SIGN_IN_ADDRESS: '1000000',
};

/** Starts the API of a git checkout without rate limits, and waits until it has its database. Throws if it ends before. */
export async function startProcess(database: string, folder?: string): Promise<ApiProcess> {
  const environment = { ...NO_LIMITS, DATABASE: database };
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
