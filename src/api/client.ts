import * as v from 'valibot';
import { addressOf } from '#domain/request-address.ts';
import { type AnswerSchema, readAnswer } from './answer.ts';
import { apiBase } from './base.ts';
import { callOptions, takeEarly } from './early-requests.ts';
import type { Result } from './failure.ts';
import { whileShown, withTimeout } from './limits.ts';
import { refusal } from './refusal.ts';
import type { Request } from './requests.ts';
import { fetchWithRetries } from './retry.ts';
import { deleteToken, readToken } from './token.ts';

/** Covers all tries of a call and its body. Must stay below the 25 s in which a call must fail. */
const TOTAL_TIMEOUT_MS = 22_000;
/** Long enough for three full tries. The build must fail within 60 s. */
const BUILD_TIMEOUT_MS = 40_000;
const UNAUTHORIZED = 401;

/* The Host header of the specification is not set here: browsers forbid it and send the right one themselves. */

const isHtml = (response: Response): boolean =>
  /^text\/html\b/i.test(response.headers.get('Content-Type') ?? '');

/** Returns the query of the next page from the Link header (RFC 8288), if it has the same origin and path. */
function nextQuery({ headers }: Response, requested: URL): string | undefined {
  const parts = headers.get('Link')?.split(',');
  const link = parts?.find((part) => part.includes('rel="next"'));
  const target = link?.slice(link.indexOf('<') + 1, link.indexOf('>'));
  const next = target === undefined ? null : URL.parse(target, requested);
  return next?.origin === requested.origin && next.pathname === requested.pathname ? next.search : undefined;
}

const totalTimeout = (): number => (typeof window === 'undefined' ? BUILD_TIMEOUT_MS : TOTAL_TIMEOUT_MS);

export interface Call {
  readonly method?: 'get' | 'post';
  readonly json?: unknown;
  readonly searchParams?: Request<unknown>['searchParams'];
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Lets the request finish after the visitor leaves the page. */
  readonly keepalive?: boolean;
  /** Sends no token, and a 401 does not end the session. */
  readonly anonymous?: boolean;
  /** Accepts every success except HTML, which a captive portal sends. The schema parses `undefined`. */
  readonly ignoreBody?: boolean;
}

async function send<Schema extends AnswerSchema>(
  schema: Schema,
  path: string,
  {
    method = 'get',
    anonymous = false,
    ignoreBody = false,
    keepalive = false,
    headers,
    json,
    searchParams = {},
  }: Call,
  signal: AbortSignal,
): Promise<Result<v.InferOutput<Schema>>> {
  const token = anonymous || typeof document === 'undefined' ? undefined : readToken();
  const url = `${apiBase()}/${addressOf({ path, searchParams })}`;
  const type = json === undefined ? {} : { 'Content-Type': 'application/json' };
  const body = json === undefined ? {} : { body: JSON.stringify(json) };
  const options = { method, keepalive, ...body, ...callOptions(token, { ...type, ...headers }) };
  const isGet = method === 'get';
  const request = (ending: AbortSignal, tries: number): Promise<Response> =>
    (isGet && tries === 1 && takeEarly(url, token, ending)) ||
    fetch(new Request(url, { ...options, signal: ending }));
  try {
    const response = await fetchWithRetries(request, isGet, signal);
    if (response.ok) {
      if (ignoreBody && !isHtml(response)) return { ok: true, value: await v.parseAsync(schema, undefined) };
      const result = await readAnswer(schema, response);
      const next = nextQuery(response, new URL(url));
      return result.ok && next ? { ...result, next } : result;
    }
    const failure = await refusal(response);
    if (response.status === UNAUTHORIZED && token && token === readToken()) deleteToken();
    return { ok: false, failure };
  } catch {
    return { ok: false, failure: { kind: 'no-answer' } };
  }
}

/**
 * Calls the API and parses the response. Returns a Failure instead of throwing when the network or the server fails.
 * A 401 deletes the token. A GET is retried at most twice, and aborted when the visitor leaves the page.
 * A POST is neither retried nor aborted, because the server may already have acted on it.
 */
export function call<Schema extends AnswerSchema>(
  schema: Schema,
  path: string,
  { signal: caller, ...options }: Call = {},
): Promise<Result<v.InferOutput<Schema>>> {
  // `fetchWithRetries` limits each try only until the head of the response arrives.
  const attempt = (leaving?: AbortSignal): Promise<Result<v.InferOutput<Schema>>> =>
    withTimeout(totalTimeout(), [caller, leaving], (signal) => send(schema, path, options, signal));
  return options.method === 'post' ? attempt() : whileShown(attempt, caller);
}

/** Sends a request of requests.ts with retries. Use it when the visitor waits for the response. */
export const fetchPublic = <Schema extends AnswerSchema>({
  schema,
  path,
  searchParams,
}: Request<Schema>): Promise<Result<v.InferOutput<Schema>>> => call(schema, path, { searchParams });
