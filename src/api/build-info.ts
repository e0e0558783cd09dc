import * as v from 'valibot';
import { type BuildInfo, BuildInfoSchema } from './schema/build-info.ts';

const TIMEOUT_MS = 10_000;

/** When and from what this site was published, and what it has for its pages; nothing where it cannot be asked. */
export async function fetchBuildInfo(): Promise<BuildInfo | undefined> {
  try {
    const response = await fetch('/build-info.json', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const parsed = v.safeParse(BuildInfoSchema, await response.json());
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}
