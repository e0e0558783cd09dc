import type { Failure } from '#api/failure.ts';

function reason(failure: Failure): string {
  if (failure.kind === 'no-answer') return 'no answer (is the API running?)';
  return failure.kind === 'refused'
    ? `answered ${failure.status} ${failure.error ?? ''}`
    : 'answered something unreadable';
}

export const unreadable = (address: string, failure: Failure): Error =>
  new Error(
    `The catalogue could not be read: GET ${address} ${reason(failure)}. ` +
      'Nothing was published. Set PUBLIC_API_HOST to the address of the API and build again.',
  );
