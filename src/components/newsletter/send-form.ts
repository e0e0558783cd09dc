import { languageOf } from '#domain/language.ts';
import { subscribe } from '#stores/newsletter/newsletter.ts';

let isSending = false;

/** Sends the form of the home page once. Where that fails, the address stays in its field. */
export async function sendForm(form: HTMLFormElement): Promise<void> {
  if (isSending) return;
  isSending = true;
  const button = form.querySelector('button');
  if (button) button.ariaDisabled = 'true';
  const fields = new FormData(form);
  const isAsked = await subscribe({
    email: String(fields.get('email')),
    website: String(fields.get('website')),
    language: languageOf(document.documentElement.lang),
  });
  if (isAsked) form.reset();
  if (button) button.ariaDisabled = null;
  isSending = false;
}
