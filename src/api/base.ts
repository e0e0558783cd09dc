const LOCAL_HOST = 'http://localhost:8044';
const API_PATH = '/api/v1';

/** Returns the local API on a page of `localhost`, else (also in the build) the host in PUBLIC_API_HOST. */
export function apiBase(pageHost = globalThis.location?.hostname): string {
  const host = pageHost === 'localhost' ? LOCAL_HOST : import.meta.env.PUBLIC_API_HOST || LOCAL_HOST;
  return host.replace(/\/+$/, '') + API_PATH;
}
