import * as v from 'valibot';

/** `build-info.json` of a published release; what was only built holds `{}`. */
export const WireBuildInfo = v.object({
  release: v.string(),
  publishedAt: v.pipe(v.string(), v.isoTimestamp()),
  catalogueHash: v.string(),
  products: v.number(),
});

export type BuildInfo = v.InferOutput<typeof WireBuildInfo>;
