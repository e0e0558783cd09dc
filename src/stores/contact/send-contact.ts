import * as v from 'valibot';
import { call } from '#api/client.ts';
import { clearNotice, notify } from '#stores/shell/toasts.ts';

const FAILED = { title: 'Error', tone: 'error' } as const;

/**
 * Sends the contact form to POST /contact. Returns whether it arrived; if not, a notice says why. `serverText` is not used here: its file would bring React onto the page.
 */
export async function sendContact(fields: FormData): Promise<boolean> {
  clearNotice(FAILED);
  const result = await call(v.undefined(), 'contact', {
    method: 'post',
    ignoreBody: true,
    json: Object.fromEntries(fields),
  });
  if (result.ok) return true;
  const { failure } = result;
  const refusal = failure.kind === 'refused' && failure.status < 500 && failure.error;
  notify({ ...FAILED, text: refusal || 'Your message is still here. Please send it again.' });
  return false;
}
