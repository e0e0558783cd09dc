import * as v from 'valibot';
import { addressOf } from '#domain/request-address.ts';
import { parseUrl } from '#domain/url.ts';
import { apiBase } from './addresses.ts';
import { type Answer, type AnswerSchema, readAnswer } from './answer.ts';
import { takeEarly } from './early-requests.ts';
import { endingWith, unlessAborted, whileShown } from './limits.ts';
import type { Request } from './requests.ts';
import { readToken } from './token.ts';

/**
 * Limits all tries and the body, because ky's own limit does not include an early response. A page must fail within 25
 * s, and a build within 60 s, which leaves time for three full tries.
 */
const totalTimeout = (): number => (typeof window === 'undefined' ? 40_000 : 22_000);

/* The Host header of the specification is not set here: browsers forbid it and send the right one themselves. */

const isHtml = (response: Response): boolean =>
  /^text\/html\b/i.test(response.headers.get('Content-Type') ?? '');

/** Returns the query of the next page from the Link header (RFC 8288), if it has the same origin and path. */
function nextQuery({ headers }: Response, requested: URL): string | undefined {
  const parts = headers.get('Link')?.split(',');
  const link = parts?.find((part) => part.includes('rel="next"'));
  const target = link?.slice(link.indexOf('<') + 1, link.indexOf('>'));
  const next = target === undefined ? undefined : parseUrl(target, requested.href);
  return next?.origin === requested.origin && next.pathname === requested.pathname ? next.search : undefined;
}

export interface Call {
  readonly method?: 'get' | 'post';
  readonly json?: unknown;
  readonly searchParams?: Request<unknown>['searchParams'];
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Sends no token, and a 401 does not end the session. */
  readonly anonymous?: boolean;
  /** Accepts every success except HTML, which a captive portal sends. The schema parses `undefined`. */
  readonly ignoreBody?: boolean;
}

async function send<Schema extends AnswerSchema>(
  schema: Schema,
  path: string,
  { searchParams = {}, ignoreBody = false, ...options }: Call,
  signal: AbortSignal,
): Answer<Schema> {
  const url = `${apiBase()}/${addressOf({ path, searchParams })}`;
  const token = options.anonymous ? undefined : readToken();
  const early = options.method === 'post' ? undefined : takeEarly(url, token, signal);
  try {
    const answered = await early?.catch(() => undefined);
    const response = answered?.ok
      ? answered
      : await (await unlessAborted(import('./ky.ts'), signal)).request(url, early, { ...options, signal });
    if ('kind' in response) return { ok: false, failure: response };
    if (ignoreBody && !isHtml(response)) return { ok: true, value: await v.parseAsync(schema, undefined) };
    const result = await readAnswer(schema, response);
    const next = nextQuery(response, new URL(url));
    return result.ok && next ? { ...result, next } : result;
  } catch {
    // The body broke off, or ky could not be loaded.
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
): Answer<Schema> {
  if (options.method === 'post') return send(schema, path, options, endingWith(totalTimeout(), caller));
  return whileShown(
    (leaving) => send(schema, path, options, endingWith(totalTimeout(), caller, leaving)),
    caller,
  );
}

/** Sends a request of requests.ts with retries. Use it when the visitor waits for the response. */
export const fetchPublic = <Schema extends AnswerSchema>(request: Request<Schema>): Answer<Schema> =>
  call(request.schema, request.path, { searchParams: request.searchParams });
