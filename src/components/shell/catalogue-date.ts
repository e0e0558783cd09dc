import { formatMoment } from '#domain/date.ts';

/** Says in the footer when the catalogue was published, in the line that is kept for it. */
export function showCatalogueDate(publishedAt: string): void {
  const place = document.querySelector('[data-catalogue-date]');
  if (place) place.textContent = `Catalogue updated ${formatMoment(publishedAt)}`;
}
