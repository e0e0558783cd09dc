import { apiBase } from './base.ts';
import { whileShown, within } from './limits.ts';

/** One raw answer of the API, for people who look for what is wrong. */
export interface RawAnswer {
  readonly url: string;
  readonly status: number;
  readonly milliseconds: number;
  /** What CORS lets a page read, without what is secret (faults 92). */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly data: unknown;
}

const SECRET_HEADERS: readonly string[] = ['authorization', 'set-cookie', 'cookie', 'proxy-authorization'];
const TIMEOUT_MS = 10_000;

/** What an engine says of broken JSON quotes the body, which may be a captive portal's (faults 11). */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('The answer is not JSON');
  }
}

async function ask(signal: AbortSignal): Promise<RawAnswer | undefined> {
  const url = `${apiBase()}/storeInfo`;
  const started = performance.now();
  let response: Response;
  try {
    response = await fetch(url, { credentials: 'include', cache: 'no-store', signal });
  } catch (error) {
    console.error(`GET ${url} brought no answer:`, error);
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
    milliseconds: Math.round(performance.now() - started),
    headers: [...response.headers].filter(([name]) => !SECRET_HEADERS.includes(name.toLowerCase())),
    data,
  };
}

/**
 * GET /storeInfo as it comes (spec 2, API test). Undefined where there was no answer or a refusal; what happened is on
 * the console. Throws on an answer that is not JSON.
 */
export const fetchRawStoreInfo = (): Promise<RawAnswer | undefined> =>
  whileShown((leaving) => within(TIMEOUT_MS, [leaving], ask));
