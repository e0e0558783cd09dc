import type { Failure } from '#api/failure.ts';
import type { CatalogueAnswer } from '#domain/requested-items.ts';

const AT_ONCE = 6;
const NOT_FOUND = 404;

const isGone = (failure: Failure): boolean => failure.kind === 'refused' && failure.status === NOT_FOUND;

/** A call that fails otherwise than by 404 says nothing, so that what stands on the page stays (faults 5). */
async function ask(id: string): Promise<readonly [string, CatalogueAnswer]> {
  try {
    const [{ fetchPublic }, { productRequest }] = await Promise.all([
      import('#api/client.ts'),
      import('#api/requests.ts'),
    ]);
    const result = await fetchPublic(productRequest(id));
    if (result.ok) return [id, result.value];
    return [id, isGone(result.failure) ? 'gone' : undefined];
  } catch {
    // The code did not load: offline, or a release ago.
    return [id, undefined];
  }
}

/**
 * What the catalogue says today, a few products at a time; `told` hears of them as they come. Resolves when all are
 * known; never rejects.
 */
export async function askProducts(
  ids: readonly string[],
  told: (answers: readonly (readonly [string, CatalogueAnswer])[]) => void,
): Promise<void> {
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    told(await Promise.all(ids.slice(start, start + AT_ONCE).map(ask)));
  }
}

/** The same, told at once when all are known: by id, each asked for once. */
export async function askForAll(ids: readonly string[]): Promise<ReadonlyMap<string, CatalogueAnswer>> {
  const found = new Map<string, CatalogueAnswer>();
  await askProducts([...new Set(ids)], (answers) => {
    for (const [id, answer] of answers) found.set(id, answer);
  });
  return found;
}
