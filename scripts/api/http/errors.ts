import type { Context } from 'hono';
import { StorageError } from '#scripts/api/db/storage-error.ts';
import type { Log } from '#scripts/api/log.ts';
import { Refusal, unavailable } from './refusal.ts';

/** Turns whatever was thrown into an answer; a bug is logged with its stack and told as 500. */
export function answerError(error: Error, context: Context, log: Log): Response {
  if (error instanceof Refusal) return context.json(error.body, error.status, error.headers);
  if (error instanceof StorageError) {
    log('error', 'storage failed', { code: error.code });
    const busy = unavailable();
    return context.json(busy.body, busy.status, busy.headers);
  }
  log('error', 'unexpected error', { name: error.name, stack: error.stack ?? error.message });
  return context.json({ error: 'Something went wrong on our side' }, 500);
}
