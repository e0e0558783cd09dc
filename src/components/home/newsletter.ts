import { NO_CONNECTION, notify } from '#stores/shell/toasts.ts';

/**
 * Where the API offers `newsletter`, the address is sent. Without that the form thanks, and no call is made (spec 2, home;
 * resolutions 21c, 32).
 */
export function handleNewsletter(): void {
  const form = document.querySelector<HTMLFormElement>('[data-newsletter]');
  form?.addEventListener('submit', (event) => {
    event.preventDefault();
    if (__OFFERS__.newsletter)
      return void import('#components/newsletter/send-form.ts').then(
        ({ sendForm }) => sendForm(form),
        () => notify(NO_CONNECTION),
      );
    form.reset();
    notify({ title: 'Subscribed', text: 'Thank you for subscribing.' });
  });
}
