import { createHash } from 'node:crypto';
import type { CapabilityName } from '#domain/capabilities.ts';
import { withoutEndSlashes } from '#domain/url.ts';
import { codeHash } from '#scripts/build/code-hash.ts';
import { SITE } from '#server/settings/settings.ts';

export interface SiteParts {
  /** The build's settings, from `siteSettings`. */
  readonly settings: Readonly<Record<string, string | undefined>>;
  /** The version of the API's catalogue, which changes with its images too. */
  readonly version: string | undefined;
  readonly capabilities: readonly CapabilityName[];
}

/** Changes with all that the built site depends on: code, build settings, catalogue and capabilities. */
export const siteKey = ({ settings, version, capabilities }: SiteParts): string =>
  createHash('sha256')
    .update(codeHash(settings))
    .update(JSON.stringify([settings, version, capabilities]))
    .digest('hex');

export interface Ports {
  readonly api: number;
  readonly site: number;
}

export const PORTS: Ports = { api: 8044, site: 4321 };

type Environment = Readonly<Record<string, string | undefined>>;

/** The build reads no other variables. */
const isSiteSetting = (name: string): boolean => name.startsWith('PUBLIC_') || Object.hasOwn(SITE, name);

/** Returns the part of the environment that a page or a header of the built site depends on. */
export const siteSettings = (env: Environment, { api } = PORTS): Record<string, string | undefined> => ({
  ...Object.fromEntries(
    Object.entries(env)
      .filter(([name]) => isSiteSetting(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ),
  PUBLIC_API_HOST: withoutEndSlashes(env.PUBLIC_API_HOST || `http://localhost:${api}`),
});

/** The API's environment, with the admin. CORS allows the site in SITE_ORIGIN and on this machine. */
export const apiEnvironment = (env: Environment, { api, site } = PORTS): Environment => ({
  ...env,
  SITE_ORIGIN: [env.SITE_ORIGIN ?? '', `http://localhost:${site}`, `http://127.0.0.1:${site}`].join(','),
  PORT: String(api),
  ADMIN: env.ADMIN || 'on',
});

/** Returns the host to listen on. Other machines can connect only if an address for them is set. */
export const hostOf = ({ HOST, SITE_ORIGIN, PUBLIC_API_HOST }: Environment): string | undefined =>
  HOST || (SITE_ORIGIN || PUBLIC_API_HOST ? undefined : '127.0.0.1');
