import * as v from 'valibot';
import { BUILD_INFO } from '#scripts/publish/release/manifest.ts';

const BuildInfo = v.object({ release: v.string() });

const ANSWER_MS = 5_000;

/** Why a call failed. `fetch` itself says only 'fetch failed'; its cause has the reason, sometimes as a code alone. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return String(cause);
  return cause.message || ('code' in cause ? String(cause.code) : cause.name);
}

/**
 * Asks the address of a shop which release its visitors get.
 * @returns its id, or a sentence that says why it is not known
 */
export async function liveRelease(origin: string): Promise<{ id: string } | { problem: string }> {
  const url = new URL(`/${BUILD_INFO}`, origin).href;
  try {
    const answer = await fetch(url, { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) });
    const text = await answer.text();
    if (!answer.ok) return { problem: `${url} answers with status ${answer.status}.` };
    const info = v.safeParse(v.pipe(v.string(), v.parseJson(), BuildInfo), text);
    return info.success ? { id: info.output.release } : { problem: `${url} does not name a release.` };
  } catch (error) {
    return { problem: `${url} does not answer (${reasonOf(error)}).` };
  }
}
