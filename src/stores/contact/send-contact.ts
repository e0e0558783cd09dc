import { type ContactMessage, postContact } from '#api/contact.ts';
import { notifyFailure } from '#stores/shell/notify-failure.ts';
import { notify } from '#stores/shell/toasts.ts';

/** Sends what the contact form says. Returns whether the shop has it; if not, a notice says so. */
export async function sendContact(message: ContactMessage): Promise<boolean> {
  const { ok: isSent } = await notifyFailure(
    postContact(message),
    'Your message is still here. Please send it again.',
  );
  if (isSent)
    notify({
      title: 'Message Sent',
      text: "Thank you for contacting us. We'll get back to you shortly.",
    });
  return isSent;
}
