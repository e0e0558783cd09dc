import { createServer } from 'node:net';
import { withoutEndSlashes } from '#domain/url.ts';
import { listen } from '#server/http/node-server.ts';
import type { Environment } from '#server/settings/parse.ts';
import { PORTS, SITE } from '#server/settings/settings.ts';

type Ports = Readonly<Pick<typeof PORTS, 'api' | 'site'>>;

/** The build reads no other variables. */
const isSiteSetting = (name: string): boolean => name.startsWith('PUBLIC_') || Object.hasOwn(SITE, name);

/** Returns the part of the environment that a page or a header of the built site depends on. */
export const siteSettings = (env: Environment, { api }: Ports = PORTS): NodeJS.Dict<string> => ({
  ...Object.fromEntries(
    Object.entries(env)
      .filter(([name]) => isSiteSetting(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ),
  PUBLIC_API_HOST: withoutEndSlashes(env.PUBLIC_API_HOST || `http://localhost:${api}`),
});

/** The API's environment, with the admin. CORS allows the site in SITE_ORIGIN and on this machine. */
export const apiEnvironment = (env: Environment, { api, site }: Ports = PORTS): Environment => ({
  ...env,
  SITE_ORIGIN: [env.SITE_ORIGIN ?? '', `http://localhost:${site}`, `http://127.0.0.1:${site}`].join(','),
  PORT: String(api),
  ADMIN: env.ADMIN || 'on',
});

/** Returns the host to listen on. Other machines can connect only if an address in their network is set. */
export const hostOf = ({ HOST, SITE_ORIGIN, PUBLIC_API_HOST }: Environment): string | undefined =>
  HOST || (SITE_ORIGIN || PUBLIC_API_HOST ? undefined : '127.0.0.1');

/** @throws ExplainedError that names a taken port */
export async function requireFreePorts({ api, site }: Ports, host: string | undefined): Promise<void> {
  for (const port of [api, site]) {
    await using server = createServer();
    await listen(server, port, host);
  }
}
