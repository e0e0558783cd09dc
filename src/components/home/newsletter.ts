import { notify } from '#stores/shell/toasts.ts';

/** Clears the field and thanks, without a call to the API (spec 2, home; resolutions 21c, 32). */
export function handleNewsletter(): void {
  const form = document.querySelector<HTMLFormElement>('[data-newsletter]');
  form?.addEventListener('submit', (event) => {
    event.preventDefault();
    form.reset();
    notify({ title: 'Subscribed', text: 'Thank you for subscribing.' });
  });
}
