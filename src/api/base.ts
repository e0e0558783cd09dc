const LOCAL_HOST = 'http://localhost:8044';
const API_PATH = '/api/v1';

/**
 * The base address of the API. On a page of `localhost` it is the local API. Everywhere else, also in the build, it is
 * the host in PUBLIC_API_HOST (spec 7; resolutions 7).
 */
export function apiBase(pageHost = globalThis.location?.hostname): string {
  const host = pageHost === 'localhost' ? LOCAL_HOST : import.meta.env.PUBLIC_API_HOST || LOCAL_HOST;
  return host.replace(/\/+$/, '') + API_PATH;
}

interface Address {
  readonly path: string;
  readonly searchParams: Readonly<Record<string, string | number>>;
}

/** The address of a request, relative to the base address of the API. */
export function addressOf({ path, searchParams }: Address): string {
  const entries = Object.entries(searchParams).map(([name, value]) => [name, String(value)]);
  const query = new URLSearchParams(entries).toString();
  return query ? `${path}?${query}` : path;
}
