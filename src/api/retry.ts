/* Retries requests. Written by hand, because ky would add 7.1 KiB of brotli to the account, order and payment pages. */

const TIMEOUT_MS = 10_000;
const TRIES = 3;
const RETRY_AFTER_LIMIT_MS = 10_000;
const TRANSIENT: readonly number[] = [429, 500, 502, 503, 504];
/** Statuses whose Retry-After counts (RFC 9110, 10.2.3). */
const WITH_RETRY_AFTER: readonly number[] = [429, 503];

/** Reads a Retry-After header, a number or a date, in seconds. Returns undefined if it is missing or past. */
export function retryAfterSeconds(response: Response): number | undefined {
  const header = response.headers.get('Retry-After') ?? '';
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return seconds > 0 ? Math.ceil(seconds) : undefined;
}

/** Returns the pause before the next try in ms: the server's Retry-After, else a random exponential delay. */
function pauseAfter(response: Response | undefined, tries: number): number {
  const seconds =
    response && WITH_RETRY_AFTER.includes(response.status) ? retryAfterSeconds(response) : undefined;
  return seconds === undefined
    ? Math.random() * 300 * 2 ** tries
    : Math.min(seconds * 1_000, RETRY_AFTER_LIMIT_MS);
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    setTimeout(resolve, ms);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** Sends one try. It is aborted after 10 s unless the head of the response has arrived. The signal also aborts the body. */
async function fetchOnce(
  request: (signal: AbortSignal) => Promise<Response>,
  signal: AbortSignal,
): Promise<Response> {
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal.reason);
  const timer = setTimeout(abort, TIMEOUT_MS);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    return await request(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Sends a request until its response is not a transient error: at most three times if it `mayRepeat`, otherwise once.
 * Throws if there is no response.
 */
export async function fetchWithRetries(
  request: (signal: AbortSignal, tries: number) => Promise<Response>,
  mayRepeat: boolean,
  signal: AbortSignal,
): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const isLast = !mayRepeat || tries === TRIES;
    let response: Response | undefined;
    try {
      response = await fetchOnce((ending) => request(ending, tries), signal);
      if (isLast || !TRANSIENT.includes(response.status)) return response;
      await response.body?.cancel();
    } catch (error) {
      if (isLast || signal.aborted) throw error;
    }
    await pause(pauseAfter(response, tries), signal);
  }
}
