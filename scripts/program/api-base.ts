import * as v from 'valibot';
import { withoutEndSlashes } from '#domain/url.ts';
import { type Environment, type Setting, text } from './setting.ts';

/** The default of PUBLIC_API_HOST. On localhost the site calls this API, whatever it was built for. */
export const LOCAL_API = 'http://localhost:8044';

export const PUBLIC_API_HOST = {
  schema: v.pipe(
    text(LOCAL_API),
    v.check(
      (address) => /^https?:\/\//.test(address) && URL.canParse(address),
      'must be an address such as https://api.shop.example',
    ),
  ),
  meaning: 'The address of the API, for the build and for the published pages.',
} satisfies Setting;

/** The base address of the API for the build. */
export const apiBaseOf = (env: Environment): string =>
  `${withoutEndSlashes(env.PUBLIC_API_HOST || LOCAL_API)}/api/v1`;
