import { whenPageIdle } from '#components/shell/idle-event.ts';

/**
 * What the build knows is looked up anew when the page has nothing else to do; where it knows nothing, at once
 * (resolutions 22, 22a).
 */
export function refreshFeatured(): void {
  const list = document.querySelector<HTMLElement>('[data-featured]');
  if (!list) return;
  const refresh = (): void =>
    void import('./featured-live.ts').then(({ showFeatured }) => showFeatured(list));
  if (list.querySelector('.card')) whenPageIdle(refresh);
  else refresh();
}
