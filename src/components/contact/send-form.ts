import { languageOf } from '#domain/language.ts';
import { send } from '#stores/messages/send-message.ts';

/** Sends the form to an API that offers `messages`. Where that fails, all that was typed stays. */
export async function sendForm(form: HTMLFormElement): Promise<void> {
  const fields = new FormData(form);
  const textOf = (name: string): string => String(fields.get(name));
  const ticket = await send({
    name: textOf('name'),
    email: textOf('email'),
    subject: textOf('subject'),
    message: textOf('message'),
    website: textOf('website'),
    language: languageOf(document.documentElement.lang),
  });
  if (ticket === undefined) return;
  form.reset();
  const place = form.querySelector('[data-ticket]');
  if (place) place.textContent = `The number of your message is ${ticket}. We answer by email.`;
}
