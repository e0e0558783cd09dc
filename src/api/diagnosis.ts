import { apiBase } from './addresses.ts';
import { publicApi } from './ky.ts';
import { endingWith, whileShown } from './limits.ts';

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
function explain(error: unknown): never {
  throw error instanceof SyntaxError ? new Error('The answer is not JSON') : error;
}

async function requestStoreInfo(...leaving: AbortSignal[]): Promise<RawAnswer | undefined> {
  const url = `${apiBase()}/storeInfo`;
  const startedAt = performance.now();
  let response: Response;
  try {
    response = await publicApi(url, { retry: 0, signal: endingWith(TIMEOUT_MS, ...leaving) });
  } catch (error) {
    console.error(`GET ${url}`, error);
    return undefined;
  }
  const data: unknown = await response.json().catch(explain);
  return {
    url,
    status: response.status,
    milliseconds: Math.round(performance.now() - startedAt),
    headers: [...response.headers].filter(([name]) => !SECRET_HEADERS.includes(name.toLowerCase())),
    data,
  };
}

/**
 * Fetches GET /storeInfo once. Returns undefined and logs the reason if there was no response or an error status.
 * Throws if the body is not JSON.
 */
export const fetchRawStoreInfo = (): Promise<RawAnswer | undefined> => whileShown(requestStoreInfo);
