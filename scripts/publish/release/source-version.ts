import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { BUILD_REQUESTS, productPageRequest, WIRE_LIMIT } from '#api/requests.ts';
import { ProductPageReader } from '#api/schema/product.ts';
import { addressOf } from '#domain/url.ts';

export interface Watcher {
  /** Checks the catalogue. Returns whether it differs from the last check, or at first from the last publication. */
  readonly look: () => Promise<boolean>;
  readonly checkedAt: () => string | undefined;
  readonly failure: () => string | undefined;
}

/** Compares the API's catalogue with the version that was published last. */
export function watcher(source: ReturnType<typeof sourceWatch>, published: string | undefined): Watcher {
  let last = published;
  let checkedAt: string | undefined;
  let failure: string | undefined;
  return {
    async look() {
      try {
        const version = await source.version();
        checkedAt = new Date().toISOString();
        failure = undefined;
        const changed = version !== last;
        last = version;
        return changed;
      } catch (error) {
        failure = error instanceof Error ? error.message : String(error);
        return false;
      }
    },
    checkedAt: () => checkedAt,
    failure: () => failure,
  };
}

const TIMEOUT_MS = 20_000;

const MAX_PAGES = 10_000;

interface Answer {
  /** The server's ETag, or a hash of the body. */
  readonly tag: string;
  /** How many pages the list has, by its first page; 1 for every other answer. */
  readonly pages: number;
}

export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

async function pagesOf(body: string): Promise<number> {
  try {
    const { total } = await v.parseAsync(ProductPageReader, JSON.parse(body));
    return Math.min(Math.ceil(total / WIRE_LIMIT), MAX_PAGES);
  } catch {
    return 1;
  }
}

const pageAddress = (page: number): string => addressOf(productPageRequest(page));

/**
 * Follows the API's catalogue by conditional requests, so that an unchanged answer has no body. An ETag stands for one
 * answer only, so every page of the list is requested.
 */
export function sourceWatch(apiBase: string, get: Fetch = fetch): { version: () => Promise<string> } {
  const lastAnswers = new Map<string, Answer>();

  async function ask(path: string): Promise<Answer> {
    const before = lastAnswers.get(path);
    const response = await get(`${apiBase}/${path}`, {
      headers: before ? { 'If-None-Match': before.tag } : {},
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status === 304 && before) return before;
    const body = await response.text();
    if (!response.ok) throw new Error(`GET ${apiBase}/${path} answered ${response.status}`);
    const tag = response.headers.get('ETag') ?? createHash('sha256').update(body).digest('base64url');
    const answer = { tag, pages: path === pageAddress(1) ? await pagesOf(body) : 1 };
    lastAnswers.set(path, answer);
    return answer;
  }

  return {
    /**
     * A text that changes whenever an answer to a request of the build changes. @throws when the API does not answer
     */
    async version() {
      const tags: string[] = [];
      for (const request of Object.values(BUILD_REQUESTS)) tags.push((await ask(addressOf(request))).tag);
      const first = await ask(pageAddress(1));
      tags.push(first.tag);
      for (let page = 2; page <= first.pages; page += 1) tags.push((await ask(pageAddress(page))).tag);
      return createHash('sha256').update(tags.join('\n')).digest('base64url');
    },
  };
}

const PlannedReader = v.object({ pricesSince: v.optional(v.string(), '') });

/**
 * Follows only the prices that change by themselves, such as at the end of a planned sale. The version is the
 * moment of the last change, which the API tells beside the store record; '' where it tells none. It never goes back, for
 * instance where somebody has deleted a sale that was over.
 */
export function plannedPrices(apiBase: string, known = ''): { version: () => Promise<string> } {
  let last = known;
  return {
    async version() {
      const address = `${apiBase}/${addressOf(BUILD_REQUESTS.store)}`;
      const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (!response.ok) throw new Error(`GET ${address} answered ${response.status}`);
      const parsed = v.safeParse(PlannedReader, await response.json());
      if (parsed.success && parsed.output.pricesSince > last) last = parsed.output.pricesSince;
      return last;
    },
  };
}
