import { formatMoment } from '#domain/date.ts';

/** Shows in the footer when the catalogue was published. The footer reserves a line for it, so nothing moves. */
export function showCatalogueDate(publishedAt: string): void {
  const place = document.querySelector('[data-catalogue-date]');
  if (place) place.textContent = `Catalogue updated ${formatMoment(publishedAt)}`;
}
