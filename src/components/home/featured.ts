import { whenPageIdle } from '#components/shell/idle-event.ts';

/** Refreshes the built cards when the page is idle. If there are none, it fetches them at once. */
export function refreshFeatured(): void {
  const list = document.querySelector<HTMLElement>('[data-featured]');
  if (!list) return;
  const refresh = (): void =>
    void import('./featured-live.ts').then(({ showFeatured }) => showFeatured(list));
  if (list.querySelector('.card')) whenPageIdle(refresh);
  else refresh();
}
