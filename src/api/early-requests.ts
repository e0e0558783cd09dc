import { apiBase } from './base.ts';
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
export function callOptions(token: string | undefined, headers?: Readonly<Record<string, string>>) {
  return {
    credentials: 'include',
    cache: 'no-store',
    headers: { ...headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) },
  } as const;
}

/** js-cookie would decode such a token. This small script does not, so it leaves the call to the page's modules. */
const isEncoded = (token: string | undefined): boolean => token?.includes('%') ?? false;

/**
 * Sends GET requests from the head of a page while its scripts load. The API client takes each response instead of
 * sending the same request with the same token. Requests not taken when the visitor leaves the page are aborted.
 */
export function sendEarly(addresses: readonly string[]): void {
  const token = tokenText();
  if (isEncoded(token)) return;
  const calls: EarlyRequests = new Map();
  for (const address of addresses) {
    const url = `${apiBase()}/${address}`;
    const controller = new AbortController();
    const response = fetch(url, { ...callOptions(token), signal: controller.signal });
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

/** Returns the response of an early request, or undefined if there is none. Each can be taken once. */
export function takeEarly(
  url: string,
  token: string | undefined,
  signal: AbortSignal,
): Promise<Response> | undefined {
  const call = shared.earlyRequests?.get(url);
  if (!call || call.token !== token || signal.aborted) return undefined;
  shared.earlyRequests?.delete(url);
  signal.addEventListener('abort', () => call.abort());
  return call.response;
}
