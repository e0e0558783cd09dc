import { apiBase } from './addresses.ts';
import { tokenText } from './token-cookie.ts';

/** A request that the script in the page's head sent before the page's modules arrived. */
interface EarlyRequest {
  readonly response: Promise<Response>;
  readonly token: string | undefined;
  abort(): void;
}

type EarlyRequests = Map<string, EarlyRequest>;

/** The script in the page's head shares only this with the page's modules. */
const shared: typeof globalThis & { earlyRequests?: EarlyRequests } = globalThis;

/** The options of every API call, so that an early request is identical to the later call. */
export const CALL_OPTIONS = { credentials: 'include', cache: 'no-store' } as const;

/** As long as ky waits for a response (ky.ts). */
const TIMEOUT_MS = 10_000;

/**
 * Sends GET requests from the head of a page while its scripts load. The API client takes each response instead of
 * sending the same request with the same token. Requests not taken when the visitor leaves the page are aborted.
 */
export function sendEarly(addresses: readonly string[]): void {
  const token = tokenText();
  const headers = token ? { Authorization: `Bearer ${token}` } : undefined;
  const calls: EarlyRequests = new Map();
  for (const address of addresses) {
    const url = `${apiBase()}/${address}`;
    const controller = new AbortController();
    const response = fetch(url, { ...CALL_OPTIONS, ...(headers && { headers }), signal: controller.signal });
    // `takeEarly` returns the rejected promise to the client, which handles the failure.
    response.catch(() => {});
    calls.set(url, { response, token, abort: () => controller.abort() });
  }
  shared.earlyRequests = calls;
  addEventListener('pagehide', () => {
    for (const call of calls.values()) call.abort();
    calls.clear();
  });
}

/**
 * Returns the response of an early request, or undefined if there is none. Each can be taken once.
 * @param token of the session, whose response it must be
 */
export function takeEarly(
  url: string,
  token: string | undefined,
  signal: AbortSignal,
): Promise<Response> | undefined {
  const call = shared.earlyRequests?.get(url);
  if (!call || call.token !== token || signal.aborted) return undefined;
  shared.earlyRequests?.delete(url);
  signal.addEventListener('abort', () => call.abort());
  const timer = setTimeout(() => call.abort(), TIMEOUT_MS);
  return call.response.finally(() => clearTimeout(timer));
}
