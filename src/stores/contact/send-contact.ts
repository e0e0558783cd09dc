import { postContact } from '#api/contact.ts';
import { notify, withdraw } from '#stores/shell/toasts.ts';

const FAILED = { title: 'Error', tone: 'error' } as const;

/**
 * Sends what the contact form says to an API with the capability `contact`. Returns whether the shop has it; if not, a
 * notice says why. (`serverText` is in a file that brings React along.)
 */
export async function sendContact(fields: FormData): Promise<boolean> {
  withdraw(FAILED);
  const result = await postContact(Object.fromEntries(fields));
  if (result.ok) return true;
  const { failure } = result;
  const refusal = failure.kind === 'refused' && failure.status < 500 && failure.error;
  notify({ ...FAILED, text: refusal || 'Your message is still here. Please send it again.' });
  return false;
}
