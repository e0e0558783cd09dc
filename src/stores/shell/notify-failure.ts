import type { Result } from '#api/failure.ts';
import { notify, withdraw } from './toasts.ts';

const FAILED = { title: 'Error', tone: 'error' } as const;

/**
 * Waits for a call of a form on a content page. If it fails, a notice says why: if the server refused it, the notice
 * has the server's text; otherwise it has `otherwise`. (`serverText` is in a file that brings React along.)
 */
export async function notifyFailure<Value>(
  calling: Promise<Result<Value>>,
  otherwise: string,
): Promise<Result<Value>> {
  withdraw(FAILED);
  const result = await calling;
  if (!result.ok) {
    const { failure } = result;
    const isRefusal = failure.kind === 'refused' && failure.status < 500;
    notify({ ...FAILED, text: (isRefusal && failure.error) || otherwise });
  }
  return result;
}
