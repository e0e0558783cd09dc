import { sendContact } from '#stores/contact/send-contact.ts';

/** Sends the form to an API with the capability `contact`. Where that fails, all that was typed stays. */
export async function sendForm(form: HTMLFormElement): Promise<void> {
  const fields = new FormData(form);
  const textOf = (name: string): string => String(fields.get(name));
  const isSent = await sendContact({
    name: textOf('name'),
    email: textOf('email'),
    subject: textOf('subject'),
    message: textOf('message'),
    website: textOf('website'),
  });
  if (isSent) form.reset();
}
