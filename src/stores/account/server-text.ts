import type { Failure } from '#api/failure.ts';

const TOO_MANY = 429;

/** The server's error text; after a 429 it always says how many seconds to wait (faults 9). */
export function serverText(failure: Failure): string | undefined {
  if (failure.kind !== 'refused') return undefined;
  const { status, error, retryAfterSeconds } = failure;
  if (status !== TOO_MANY || retryAfterSeconds === undefined) return error;
  if (new RegExp(`\\b${retryAfterSeconds}\\s*s`).test(error ?? '')) return error;
  return `${error ?? 'Too many attempts.'} Please try again in ${retryAfterSeconds} seconds.`;
}
