import { addressOf } from '#domain/request-address.ts';
import { apiBase } from './addresses.ts';
import { type Answer, type AnswerSchema, readAnswer } from './answer.ts';
import { endingWith, whileShown } from './limits.ts';
import type { Request } from './requests.ts';

const TIMEOUT_MS = 10_000;

async function send<Schema extends AnswerSchema>(
  request: Request<Schema>,
  signal: AbortSignal,
): Answer<Schema> {
  try {
    const response = await fetch(`${apiBase()}/${addressOf(request)}`, {
      credentials: 'include',
      // The browser revalidates each time. Unchanged responses come without their body.
      cache: 'no-cache',
      signal,
    });
    if (response.ok) return await readAnswer(request.schema, response);
    await response.body?.cancel();
    return { ok: false, failure: { kind: 'refused', status: response.status } };
  } catch {
    return { ok: false, failure: { kind: 'no-answer' } };
  }
}

/**
 * Sends a background request without a token or a retry, so that content pages do not load the code of `call`. Never
 * throws. On failure the caller leaves the page as it is.
 */
export const fetchInBackground = <Schema extends AnswerSchema>(request: Request<Schema>): Answer<Schema> =>
  whileShown((...leaving) => send(request, endingWith(TIMEOUT_MS, ...leaving)));
