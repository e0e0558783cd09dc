import { withoutEndSlashes } from '#domain/url.ts';

/** The default of PUBLIC_API_HOST. On localhost the site calls this API, whatever it was built for (resolutions 7). */
export const LOCAL_API = 'http://localhost:8044';

/** The base address of the API for the build (resolutions 7). */
export const apiBaseOf = (env: Readonly<Record<string, string | undefined>>): string =>
  `${withoutEndSlashes(env.PUBLIC_API_HOST || LOCAL_API)}/api/v1`;
