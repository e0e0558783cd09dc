import { fetchBuildInfo } from '#api/build-info.ts';
import { showCatalogueDate } from './catalogue-date.ts';
import { holdDictionary } from './dictionary.ts';

/** What a page does with what only its host knows: when the shop was published, and with which dictionary. */
export async function useBuildInfo(): Promise<void> {
  const { publishedAt, dictionary } = (await fetchBuildInfo()) ?? {};
  if (publishedAt) showCatalogueDate(publishedAt);
  if (dictionary) holdDictionary(dictionary);
}
