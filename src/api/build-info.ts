import * as v from 'valibot';
import { type BuildInfo, BuildInfoSchema } from './schema/build-info.ts';

const TIMEOUT_MS = 10_000;

/** Returns undefined if the file is missing or invalid. */
export async function fetchBuildInfo(): Promise<BuildInfo | undefined> {
  try {
    const response = await fetch('/build-info.json', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const parsed = v.safeParse(BuildInfoSchema, await response.json());
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}
