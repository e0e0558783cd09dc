import { whenPageIdle } from '#stores/shell/page-load.ts';
import { notify } from '#stores/shell/toasts.ts';

export function handleNewsletter(): void {
  const form = document.querySelector<HTMLFormElement>('[data-newsletter]');
  form?.addEventListener('submit', (event) => {
    event.preventDefault();
    form.reset();
    notify({ title: 'Subscribed', text: 'Thank you for subscribing.' });
  });
}

/** Refreshes the built cards once the page is idle. If there are none, fetches them at once. */
export function refreshFeatured(): void {
  const list = document.querySelector<HTMLElement>('[data-featured]');
  if (!list) return;
  const refresh = (): void =>
    void import('./featured-live.ts').then(({ showFeatured }) => showFeatured(list));
  if (list.querySelector('.card')) whenPageIdle(refresh);
  else refresh();
}
