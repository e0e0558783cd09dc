import * as v from 'valibot';
import { fetchBuilt } from './listing-data.ts';

const Publication = v.object({
  release: v.string(),
  publishedAt: v.pipe(v.string(), v.isoTimestamp()),
  catalogueHash: v.string(),
  products: v.number(),
});

/** `build-info.json`. A site that was built but not published has no publication fields. */
export const BuildInfoSchema = v.object({
  ...v.partial(Publication).entries,
  /** Address of the compression dictionary, where the host has one. */
  dictionary: v.optional(v.pipe(v.string(), v.regex(/^\/_astro\/[\w.-]+$/))),
});

type BuildInfo = v.InferOutput<typeof BuildInfoSchema>;

export const fetchBuildInfo = (): Promise<BuildInfo | undefined> =>
  fetchBuilt('/build-info.json', (value): value is BuildInfo => v.is(BuildInfoSchema, value));
