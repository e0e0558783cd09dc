import type { Failure } from '#api/failure.ts';
import { waitText } from '#domain/date.ts';

const TOO_MANY = 429;

export const isTooMany = (failure: Failure): boolean =>
  failure.kind === 'refused' && failure.status === TOO_MANY;

/** The server's error text; after a 429 it always says how long to wait. */
export function serverText(failure: Failure): string | undefined {
  if (failure.kind !== 'refused') return undefined;
  const { error, retryAfterSeconds } = failure;
  if (!isTooMany(failure) || retryAfterSeconds === undefined) return error;
  const wait = waitText(retryAfterSeconds);
  const isSaid = error?.includes(wait) || new RegExp(`\\b${retryAfterSeconds}\\s*s`).test(error ?? '');
  return isSaid ? error : `${error ?? 'Too many attempts.'} Please try again in ${wait}.`;
}

/** The server's error text. @param otherwise the text if the response has none */
export const failureText = (failure: Failure, otherwise = 'That did not work. Please try again.'): string =>
  failure.kind === 'no-answer'
    ? 'No response from server. Please try again later.'
    : (serverText(failure) ?? otherwise);
