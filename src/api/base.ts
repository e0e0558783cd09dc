const LOCAL_HOST = 'http://localhost:8044';
const API_PATH = '/api/v1';

/**
 * The API's base address. On a page of `localhost` it is the local API, everywhere else, the build included, the
 * host of PUBLIC_API_HOST (spec 7; resolutions 7).
 */
export function apiBase(pageHost = globalThis.location?.hostname): string {
  const host = pageHost === 'localhost' ? LOCAL_HOST : import.meta.env.PUBLIC_API_HOST || LOCAL_HOST;
  return host.replace(/\/+$/, '') + API_PATH;
}
