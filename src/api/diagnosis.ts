import { apiBase } from './base.ts';
import { whileShown, withTimeout } from './limits.ts';

/** A raw response of the API, for the diagnostic page. */
export interface RawAnswer {
  readonly url: string;
  readonly status: number;
  readonly milliseconds: number;
  /** The headers that CORS exposes, without the secret ones. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly data: unknown;
}

const SECRET_HEADERS: readonly string[] = ['authorization', 'set-cookie', 'cookie', 'proxy-authorization'];
const TIMEOUT_MS = 10_000;

/** Replaces the engine's error, which quotes the body. That may come from a captive portal. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('The answer is not JSON');
  }
}

async function requestStoreInfo(signal: AbortSignal): Promise<RawAnswer | undefined> {
  const url = `${apiBase()}/storeInfo`;
  const startedAt = performance.now();
  let response: Response;
  try {
    response = await fetch(url, { credentials: 'include', cache: 'no-store', signal });
  } catch (error) {
    console.error(`GET ${url} got no response:`, error);
    return undefined;
  }
  if (!response.ok) {
    console.error(`GET ${url} answered ${response.status} ${response.statusText}`);
    return undefined;
  }
  const data = parseJson(await response.text());
  return {
    url,
    status: response.status,
    milliseconds: Math.round(performance.now() - startedAt),
    headers: [...response.headers].filter(([name]) => !SECRET_HEADERS.includes(name.toLowerCase())),
    data,
  };
}

/**
 * Fetches GET /storeInfo. Returns undefined and logs the reason if there was no response or an error status.
 * Throws if the body is not JSON.
 */
export const fetchRawStoreInfo = (): Promise<RawAnswer | undefined> =>
  whileShown((leaving) => withTimeout(TIMEOUT_MS, [leaving], requestStoreInfo));
