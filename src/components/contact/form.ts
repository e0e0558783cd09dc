import { NO_CONNECTION, notify } from '#stores/shell/toasts.ts';

const SENDING_MS = 1_500;
/** For the code that sends. */
const CODE_WAIT_MS = 20_000;

type Field = HTMLInputElement | HTMLTextAreaElement;

const MISSING: Readonly<Record<string, string>> = {
  name: 'Enter your name',
  email: 'Enter your email address',
  subject: 'Enter a subject',
  message: 'Enter your message',
};

function errorOf(field: Field): string {
  if (field.value.trim() === '') return MISSING[field.name] ?? '';
  return field.validity.typeMismatch ? 'Invalid email address' : '';
}

function showError(field: Field, text: string): void {
  const error = document.getElementById(`${field.id}-error`);
  if (!error) return;
  error.textContent = text;
  error.hidden = text === '';
  field.parentElement?.toggleAttribute('data-invalid', text !== '');
  if (text) {
    field.setAttribute('aria-invalid', 'true');
    field.setAttribute('aria-describedby', error.id);
  } else {
    field.removeAttribute('aria-invalid');
    field.removeAttribute('aria-describedby');
  }
}

function summaryItem(field: Field, text: string): HTMLLIElement {
  const link = document.createElement('a');
  link.href = `#${field.id}`;
  link.className = 'inline-flex min-h-8 items-center font-semibold text-error';
  link.textContent = text;
  link.addEventListener('click', (event) => {
    event.preventDefault();
    field.focus();
  });
  const item = document.createElement('li');
  item.append(link);
  return item;
}

/** Shows errors at each field and in a focused summary. Returns whether there are none. */
function check(form: HTMLFormElement, fields: readonly Field[]): boolean {
  const errors = fields.map((field) => ({ field, text: errorOf(field) }));
  for (const { field, text } of errors) showError(field, text);
  const wrong = errors.filter(({ text }) => text !== '');
  const summary = form.querySelector<HTMLElement>('[data-summary]');
  if (!summary) return wrong.length === 0;
  summary.hidden = wrong.length === 0;
  summary.querySelector('ul')?.replaceChildren(...wrong.map(({ field, text }) => summaryItem(field, text)));
  if (wrong.length > 0) summary.focus();
  return wrong.length === 0;
}

/** Without the capability `contact`, sending is only simulated and no request is made. */
export function handleContactForm(): void {
  const form = document.querySelector<HTMLFormElement>('[data-contact]');
  const button = form?.querySelector('button');
  const label = button?.querySelector('span');
  if (!form || !button || !label) return;
  const fields = [...form.querySelectorAll<Field>('[required]')];
  const idleLabel = label.textContent;
  let sending = false;
  form.noValidate = true;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (sending || !check(form, fields)) return;
    sending = true;
    button.setAttribute('aria-disabled', 'true');
    label.textContent = 'Sending...';
    const done = (isSent: boolean): void => {
      sending = false;
      button.removeAttribute('aria-disabled');
      label.textContent = idleLabel;
      if (!isSent) return;
      form.reset();
      notify({ title: 'Message Sent', text: "Thank you for contacting us. We'll get back to you shortly." });
    };
    if (!__CAPABILITIES__.contact) return void setTimeout(done, SENDING_MS, true);
    // Not `inTime` of stores/shell/pause.ts, which every page would load.
    const timeout = new Promise<never>((_, reject) => setTimeout(reject, CODE_WAIT_MS));
    Promise.race([import('#stores/contact/send-contact.ts'), timeout])
      .then(({ sendContact }) => sendContact(new FormData(form)))
      .then(done, () => {
        done(false);
        notify(NO_CONNECTION);
      });
  });
}
