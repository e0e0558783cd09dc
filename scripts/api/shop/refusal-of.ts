import { StorageError, UnstorableText } from '#scripts/api/db/errors.ts';
import { Refusal, unavailable } from '#scripts/api/http/refusal.ts';
import type { Log } from '#scripts/program/log.ts';

/** Turns whatever was thrown into a refusal. A bug is logged with its stack, and its text stays inside. */
export function refusalOf(error: Error, log: Log): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof UnstorableText) return new Refusal(422, 'A text of the request has a zero byte.');
  if (error instanceof StorageError) {
    log('error', 'storage failed', { code: error.code });
    return unavailable();
  }
  log('error', 'unexpected error', { name: error.name, stack: error.stack ?? error.message });
  return new Refusal(500, 'Something went wrong on our side');
}
