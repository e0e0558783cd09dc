import type * as v from 'valibot';
import type { AnswerSchema } from '#api/answer.ts';
import { isNotFound, type Result } from '#api/failure.ts';
import type { Request } from '#api/requests.ts';
import { REQUESTS_AT_ONCE } from '#domain/cart.ts';
import type { CatalogueAnswer } from '#domain/requested-items.ts';
import { inTime } from '#stores/shell/pause.ts';

export type ProductAnswer = readonly [id: string, answer: CatalogueAnswer];

/**
 * Sends a request of requests.ts, whose code is loaded only now. Returns undefined if the code cannot be loaded: the
 * device is offline, the page was left, or a newer release replaced the file. Never rejects.
 */
export async function fetchLater<Schema extends AnswerSchema>(
  requestOf: (requests: typeof import('#api/requests.ts')) => Request<Schema>,
): Promise<Result<v.InferOutput<Schema>> | undefined> {
  try {
    const [{ fetchPublic }, requests] = await inTime(
      Promise.all([import('#api/client.ts'), import('#api/requests.ts')]),
    );
    return await fetchPublic(requestOf(requests));
  } catch {
    return undefined;
  }
}

/**
 * Only a 404 means that a product is discontinued. After any other failure the answer is undefined and the page keeps
 * its data. Returns undefined if nothing was requested.
 */
async function fetchAnswer(id: string): Promise<ProductAnswer | undefined> {
  const result = await fetchLater(({ productRequest }) => productRequest(id));
  if (result?.ok) return [id, result.value];
  return result && [id, isNotFound(result.failure) ? 'discontinued' : undefined];
}

/** Fetches products a few at a time and passes the answers of each batch to `onBatch`. Never rejects. */
export async function fetchProductsInBatches(
  ids: readonly string[],
  onBatch: (answers: readonly ProductAnswer[]) => void,
): Promise<void> {
  for (let start = 0; start < ids.length; start += REQUESTS_AT_ONCE) {
    const answers = await Promise.all(ids.slice(start, start + REQUESTS_AT_ONCE).map(fetchAnswer));
    onBatch(answers.filter((answer) => answer !== undefined));
  }
}

/** Fetches each product once. Returns the answers by product id. Never rejects. */
export async function fetchProductsToday(
  ids: readonly string[],
): Promise<ReadonlyMap<string, CatalogueAnswer>> {
  const answersById = new Map<string, CatalogueAnswer>();
  await fetchProductsInBatches([...new Set(ids)], (answers) => {
    for (const [id, answer] of answers) answersById.set(id, answer);
  });
  return answersById;
}
