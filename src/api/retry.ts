/*
 * Sends a request, and again where that can help. It is written by hand, because ky, which does the same, takes 7.1 KiB
 * of brotli that the account, My Orders and the payment would wait for on a slow line.
 */

const TIMEOUT_MS = 10_000;
const TRIES = 3;
const RETRY_AFTER_LIMIT_MS = 10_000;
/** Statuses that may be different a moment later. */
const TRANSIENT: readonly number[] = [429, 500, 502, 503, 504];
/** Of these, the statuses with which the server may say when (RFC 9110, 10.2.3). */
const SAYS_WHEN: readonly number[] = [429, 503];

/** The seconds of a Retry-After header, which are a number or a date; undefined if there is none or it is past. */
export function retryAfterSeconds(response: Response): number | undefined {
  const header = response.headers.get('Retry-After') ?? '';
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return seconds > 0 ? Math.ceil(seconds) : undefined;
}

/** The pause before the next try in ms: what the server asks for, or else exponential and left to chance. */
function pauseAfter(response: Response | undefined, tries: number): number {
  const seconds = response && SAYS_WHEN.includes(response.status) ? retryAfterSeconds(response) : undefined;
  return seconds === undefined
    ? Math.random() * 300 * 2 ** tries
    : Math.min(seconds * 1_000, RETRY_AFTER_LIMIT_MS);
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    setTimeout(resolve, ms);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** One try, which ends after 10 s unless the head of a response has arrived. The signal ends its body, too. */
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
 * Sends a request until it has a response that is worth reading: at most three times if it `mayRepeat`, and otherwise
 * once. Throws if there is no response.
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
