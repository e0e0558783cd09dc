export const API_PORT = 8044;
export const SITE_PORT = 4321;

type Environment = Readonly<Record<string, string | undefined>>;

/** What the site's build reads besides these: `scripts/publish/site-settings.ts`. */
const isOfSite = (name: string): boolean => name.startsWith('PUBLIC_') || name === 'CSP_META';

/** All of the environment that a page or a header of the built site depends on. */
export const siteSettings = (env: Environment): Record<string, string | undefined> => ({
  ...Object.fromEntries(
    Object.entries(env)
      .filter(([name]) => isOfSite(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ),
  PUBLIC_API_HOST: (env.PUBLIC_API_HOST || `http://localhost:${API_PORT}`).replace(/\/+$/, ''),
  PUBLIC_IDEMPOTENCY_KEYS: 'true',
});

/** The API's environment: the site is allowed in at every address it was given, and on this computer. */
export const apiEnvironment = (env: Environment): Environment => ({
  ...env,
  SITE_ORIGIN: [env.SITE_ORIGIN ?? '', `http://localhost:${SITE_PORT}`, `http://127.0.0.1:${SITE_PORT}`].join(
    ',',
  ),
  PORT: String(API_PORT),
});

/** Other computers get in only when the shop was given an address for them. */
export const hostOf = ({ HOST, SITE_ORIGIN, PUBLIC_API_HOST }: Environment): string | undefined =>
  HOST || (SITE_ORIGIN || PUBLIC_API_HOST ? undefined : '127.0.0.1');
