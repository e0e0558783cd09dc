import * as v from 'valibot';
import type { Failure } from './failure.ts';
import { retryAfterSeconds } from './retry.ts';

const ERROR_BODY_LIMIT = 64 * 1024;
const ERROR_TEXT_LIMIT = 200;

const ErrorBody = v.object({
  error: v.fallback(v.optional(v.string()), undefined),
  target: v.fallback(v.optional(v.string()), undefined),
});

/** Reads about `limit` bytes of the body as text and cancels the rest. */
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads an error response. Its body may have any size and is not trusted. */
export async function refusal(response: Response): Promise<Failure> {
  const body = v.safeParse(ErrorBody, parseJson(await readText(response, ERROR_BODY_LIMIT)));
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
