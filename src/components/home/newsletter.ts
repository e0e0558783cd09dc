import { notify } from '#stores/shell/toasts.ts';

/** The form thanks, and makes no call: the shop keeps no address. */
export function handleNewsletter(): void {
  const form = document.querySelector<HTMLFormElement>('[data-newsletter]');
  form?.addEventListener('submit', (event) => {
    event.preventDefault();
    form.reset();
    notify({ title: 'Subscribed', text: 'Thank you for subscribing.' });
  });
}
