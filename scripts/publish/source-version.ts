import { createHash } from 'node:crypto';
import * as v from 'valibot';

const LIMIT = 100;
const TIMEOUT_MS = 20_000;
const PAGES_MOST = 10_000;

const Paging = v.object({ pagination: v.object({ totalPages: v.number() }) });

interface Answer {
  /** The server's ETag, or a hash of the body. */
  readonly tag: string;
  readonly pages: number;
}

export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

function pagesOf(body: string): number {
  try {
    const parsed = v.safeParse(Paging, JSON.parse(body));
    return parsed.success ? Math.min(parsed.output.pagination.totalPages, PAGES_MOST) : 1;
  } catch {
    return 1;
  }
}

/**
 * Follows the API's catalogue by conditional requests: what did not change costs an empty answer. An ETag may speak
 * for one answer only, so every page is asked for.
 */
export function sourceWatch(apiBase: string, get: Fetch = fetch): { version: () => Promise<string> } {
  const known = new Map<string, Answer>();

  async function ask(path: string): Promise<Answer> {
    const before = known.get(path);
    const response = await get(`${apiBase}/${path}`, {
      headers: before ? { 'If-None-Match': before.tag } : {},
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status === 304 && before) return before;
    const body = await response.text();
    if (!response.ok) throw new Error(`GET ${apiBase}/${path} answered ${response.status}`);
    const tag = response.headers.get('ETag') ?? createHash('sha256').update(body).digest('base64url');
    const answer = { tag, pages: pagesOf(body) };
    known.set(path, answer);
    return answer;
  }

  return {
    /** Another text whenever the catalogue or the store record is another. @throws when the API does not answer */
    async version() {
      const tags = [(await ask('storeInfo')).tag];
      let pages = 1;
      for (let page = 1; page <= pages; page += 1) {
        const answer = await ask(`products?page=${page}&limit=${LIMIT}`);
        if (page === 1) pages = answer.pages;
        tags.push(answer.tag);
      }
      return createHash('sha256').update(tags.join('\n')).digest('base64url');
    },
  };
}

/** The API's base for the build (resolutions 7). */
export const apiBaseOf = (env: Readonly<Record<string, string | undefined>>): string =>
  `${(env.PUBLIC_API_HOST || 'http://localhost:8044').replace(/\/+$/, '')}/api/v1`;
