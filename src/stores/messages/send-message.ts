import { type ContactMessage, sendMessage } from '#api/messages.ts';
import { notifyFailure } from '#stores/shell/notify-failure.ts';
import { notify } from '#stores/shell/toasts.ts';

/** Sends what the contact form says, and tells what really happened (resolutions 32). Returns the ticket; undefined where it failed. */
export async function send(message: ContactMessage): Promise<string | undefined> {
  const result = await notifyFailure(
    sendMessage(message),
    'Your message is still here. Please send it again: we keep it only once.',
  );
  if (!result.ok) return undefined;
  notify({ title: 'Message Sent', text: 'We have sent you an email with its number.' });
  return result.value.ticket;
}
