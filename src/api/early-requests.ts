import { apiBase } from './base.ts';
import { tokenText } from './token-cookie.ts';

/** A call that a page sent before its scripts were there. */
interface EarlyRequest {
  readonly response: Promise<Response>;
  readonly token: string | undefined;
  abort(): void;
}

type EarlyRequests = Map<string, EarlyRequest>;

/** The one thing that the script in a page's head shares with the page's modules. */
const shared: typeof globalThis & { earlyRequests?: EarlyRequests } = globalThis;

/** What is sent with every call of the API, so that a call sent early is the same call. */
export function callOptions(token: string | undefined, headers?: Readonly<Record<string, string>>) {
  return {
    credentials: 'include',
    cache: 'no-store',
    headers: { ...headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) },
  } as const;
}

/** js-cookie decodes such a token, which this script does not: the page's modules make the call themselves then. */
const isEncoded = (token: string | undefined): boolean => token?.includes('%') ?? false;

/**
 * Sends GET calls from the head of a page, while its scripts are on their way. The functions of this folder take their
 * responses where they would send the same call, with the same token, for the first time. What nobody has taken when the
 * page is left is aborted.
 */
export function sendEarly(addresses: readonly string[]): void {
  const token = tokenText();
  if (isEncoded(token)) return;
  const calls: EarlyRequests = new Map();
  for (const address of addresses) {
    const url = `${apiBase()}/${address}`;
    const controller = new AbortController();
    const response = fetch(url, { ...callOptions(token), signal: controller.signal });
    // Whoever takes the call learns of its failure.
    response.catch(() => {});
    calls.set(url, { response, token, abort: () => controller.abort() });
  }
  shared.earlyRequests = calls;
  addEventListener('pagehide', () => {
    for (const call of calls.values()) call.abort();
    calls.clear();
  });
}

/** The response of a call that was sent early; undefined if there is none. Each can be taken once. */
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
