import { fetchBuildInfo } from '#api/build-info.ts';
import { formatMoment } from '#domain/date.ts';

/** Shows in the footer when the catalogue was published. The footer reserves a line for it, so nothing moves. */
export async function showCatalogueDate(): Promise<void> {
  const place = document.querySelector('[data-catalogue-date]');
  if (!place || place.textContent !== '') return;
  const info = await fetchBuildInfo();
  if (info) place.textContent = `Catalogue updated ${formatMoment(info.publishedAt)}`;
}
