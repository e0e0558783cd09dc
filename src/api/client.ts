import ky, { isHTTPError, type Options } from 'ky';
import * as v from 'valibot';
import { type AnswerSchema, readAnswer } from './answer.ts';
import { apiBase } from './base.ts';
import type { Failure, Result } from './failure.ts';
import { whileShown, withTimeout } from './limits.ts';
import type { Request } from './requests.ts';
import { deleteToken, readToken } from './token.ts';

const TIMEOUT_MS = 10_000;
/** Covers all tries of a call, until its body has arrived. It is below the 25 s in which it must fail (faults 6). */
const TOTAL_TIMEOUT_MS = 22_000;
/** The same in the build. It is long enough for three full tries, and the build fails within 60 s (faults 1). */
const BUILD_TIMEOUT_MS = 40_000;
const RETRY_AFTER_LIMIT_MS = 10_000;
const ERROR_BODY_LIMIT = 64 * 1024;
const ERROR_TEXT_LIMIT = 200;
const UNAUTHORIZED = 401;

/*
 * Nothing here sets the Host header of spec 7. Browsers forbid scripts to set it and send the right one themselves
 * (resolutions 8). The build takes it from the address that it calls.
 */
const http = ky.create({
  credentials: 'include',
  timeout: TIMEOUT_MS,
  fetch: fetchCapped,
  cache: 'no-store',
  retry: {
    limit: 2,
    methods: ['get'],
    statusCodes: [429, 500, 502, 503, 504],
    afterStatusCodes: [429, 503],
    maxRetryAfter: RETRY_AFTER_LIMIT_MS,
    delay: (attempt) => 300 * 2 ** attempt,
    jitter: true,
    retryOnTimeout: true,
  },
});

const ErrorBody = v.object({
  error: v.fallback(v.optional(v.string()), undefined),
  target: v.fallback(v.optional(v.string()), undefined),
});

/** Reads about `limit` bytes of the body as text, and does not read the rest (faults 12). */
async function readText(response: Response, limit: number): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let size = 0; reader && size < limit; ) {
    const { value, done } = await reader.read();
    if (done) break;
    size += value.byteLength;
    text += decoder.decode(value, { stream: true });
  }
  await reader?.cancel();
  return text;
}

function retryAfterSeconds(response: Response): number | undefined {
  const header = response.headers.get('Retry-After') ?? '';
  // Seconds, or a date (RFC 9110).
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return seconds > 0 ? Math.ceil(seconds) : undefined;
}

/** Cuts the body of an error response to 64 KB, because ky would read it whole. */
async function fetchCapped(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  if (response.ok || !response.body) return response;
  return new Response(await readText(response, ERROR_BODY_LIMIT), response);
}

const isHtml = (response: Response): boolean =>
  /^text\/html\b/i.test(response.headers.get('Content-Type') ?? '');

function refusal(response: Response, data: unknown): Failure {
  const body = v.safeParse(ErrorBody, data);
  const { error, target } = body.success ? body.output : {};
  const seconds = retryAfterSeconds(response);
  return {
    kind: 'refused',
    status: response.status,
    ...(error ? { error: error.slice(0, ERROR_TEXT_LIMIT) } : {}),
    ...(target ? { target } : {}),
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
  };
}

/** The query of the address that the Link header names as next, if it is of the same call (RFC 8288; resolutions 47). */
function nextQuery(response: Response, asked: URL): string | undefined {
  const link = response.headers
    .get('Link')
    ?.split(',')
    .find((part) => part.includes('rel="next"'));
  const target = link?.slice(link.indexOf('<') + 1, link.indexOf('>'));
  const next = target === undefined ? null : URL.parse(target, asked);
  return next?.origin === asked.origin && next.pathname === asked.pathname ? next.search : undefined;
}

const totalTimeout = (): number => (typeof window === 'undefined' ? BUILD_TIMEOUT_MS : TOTAL_TIMEOUT_MS);

export interface Call extends Pick<Options, 'json' | 'searchParams' | 'signal' | 'headers' | 'keepalive'> {
  readonly method?: 'get' | 'post';
  /** Sends no token, and a 401 does not end the session (resolutions 29). */
  readonly anonymous?: boolean;
  /** Accepts every success except HTML, which a captive portal sends (faults 11). The schema parses `undefined`. */
  readonly ignoreBody?: boolean;
}

async function send<Schema extends AnswerSchema>(
  schema: Schema,
  path: string,
  { method = 'get', anonymous = false, ignoreBody = false, headers, ...options }: Call,
): Promise<Result<v.InferOutput<Schema>>> {
  const token = anonymous || typeof document === 'undefined' ? undefined : readToken();
  try {
    const asked = new URL(`${apiBase()}/${path}`);
    const response = await http(asked, {
      ...options,
      method,
      headers: { ...headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    });
    if (ignoreBody && !isHtml(response)) return { ok: true, value: await v.parseAsync(schema, undefined) };
    const result = await readAnswer(schema, response);
    const next = nextQuery(response, asked);
    return result.ok && next ? { ...result, next } : result;
  } catch (error) {
    if (!isHTTPError(error)) return { ok: false, failure: { kind: 'no-answer' } };
    if (error.response.status === UNAUTHORIZED && token && token === readToken()) deleteToken();
    return { ok: false, failure: refusal(error.response, error.data) };
  }
}

/**
 * Calls the API and parses the response. Returns a Failure, and does not throw, for everything that goes wrong on the
 * network or the server. A 401 deletes the token (spec 4). A GET is retried at most twice (faults 1, 7), and
 * aborted when the page is left. For a POST neither happens, because the server may already have acted on it.
 */
export function call<Schema extends AnswerSchema>(
  schema: Schema,
  path: string,
  { signal: caller, ...options }: Call = {},
): Promise<Result<v.InferOutput<Schema>>> {
  // The timeouts of ky do not cover the body.
  const attempt = (leaving?: AbortSignal): Promise<Result<v.InferOutput<Schema>>> =>
    withTimeout(totalTimeout(), [caller, leaving], (signal) => send(schema, path, { ...options, signal }));
  return options.method === 'post' ? attempt() : whileShown(attempt, caller);
}

/** Sends a request of requests.ts with retries. Use it when somebody waits for the response. */
export const fetchPublic = <Schema extends AnswerSchema>({
  schema,
  path,
  searchParams,
}: Request<Schema>): Promise<Result<v.InferOutput<Schema>>> => call(schema, path, { searchParams });
