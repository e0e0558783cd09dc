import ky, { isHTTPError, type Options } from 'ky';
import * as v from 'valibot';
import { CALL_OPTIONS } from './early-requests.ts';
import type { Failure } from './failure.ts';
import { text } from './schema/lenient.ts';
import { deleteToken, readToken } from './token.ts';

/* Sends and retries requests. Loaded on first use (client.ts), so that no first view waits for ky's 8 KB. */

/** Units: bytes. An error body may have any size and is not trusted. */
const ERROR_BODY_LIMIT = 64 * 1024;

/** Ends the body at the limit. ky reads it to its end. */
function cutBody(response: Response): Response {
  let size = 0;
  const limit = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > ERROR_BODY_LIMIT) controller.terminate();
      else controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(limit) ?? null, response);
}

export const publicApi = ky.create({
  ...CALL_OPTIONS,
  timeout: 10_000,
  retry: {
    limit: 2,
    // A server may have acted on a POST that it did not answer.
    methods: ['get'],
    statusCodes: [429, 500, 502, 503, 504],
    afterStatusCodes: [429, 503],
    maxRetryAfter: 10_000,
    jitter: true,
    retryOnTimeout: true,
    // `fetch` throws a TypeError when the network fails. ky recognises only the messages of newer browsers.
    shouldRetry: ({ error }) => error instanceof TypeError || undefined,
  },
  hooks: { afterResponse: [({ response }) => (response.ok ? undefined : cutBody(response))] },
});

/** Sends the token. A 401 deletes it, unless another session has replaced it meanwhile. */
const sessionApi = publicApi.extend({
  hooks: {
    beforeRequest: [
      ({ request }) => {
        const token = readToken();
        if (token) request.headers.set('Authorization', `Bearer ${token}`);
      },
    ],
    afterResponse: [
      ({ request, response }) => {
        const isCurrent = request.headers.get('Authorization') === `Bearer ${readToken()}`;
        if (response.status === 401 && isCurrent) deleteToken();
      },
    ],
  },
});

/** Reads a Retry-After header, a number or a date, in seconds. Returns undefined if it is missing or past. */
function retryAfterSeconds(response: Response): number | undefined {
  const header = response.headers.get('Retry-After') ?? '';
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return seconds > 0 ? Math.ceil(seconds) : undefined;
}

const ErrorBody = v.fallback(
  v.object({ error: text(200), target: text(300), total: v.fallback(v.optional(v.number()), undefined) }),
  { error: '', target: '' },
);

/** @param thrown by ky */
function failureOf(thrown: unknown): Failure {
  if (!isHTTPError(thrown)) return { kind: 'no-answer' };
  const { error, target, total } = v.parse(ErrorBody, thrown.data);
  const seconds = retryAfterSeconds(thrown.response);
  return {
    kind: 'refused',
    status: thrown.response.status,
    ...(error ? { error } : {}),
    ...(target ? { target } : {}),
    ...(total === undefined ? {} : { total }),
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
  };
}

/**
 * Sends a request with retries.
 * @param early a response that arrived before ky, or its failure. It counts as the first try.
 */
export async function request(
  url: string,
  early: Promise<Response> | undefined,
  { anonymous, ...options }: Options & { readonly anonymous?: boolean },
): Promise<Response | Failure> {
  let first = early;
  const handOver: typeof fetch = (input, init) => {
    const response = first ?? fetch(input, init);
    first = undefined;
    return response;
  };
  try {
    return await (anonymous ? publicApi : sessionApi)(url, { ...options, fetch: handOver });
  } catch (error) {
    return failureOf(error);
  }
}
