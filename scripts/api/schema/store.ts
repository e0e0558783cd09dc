import * as v from 'valibot';

const line = v.pipe(v.string(), v.trim(), v.nonEmpty('must not be empty'), v.maxLength(2_000, 'is too long'));

/** The store record as it is sent (spec 3). */
export const StoreInfoSchema = v.object({
  storeName: line,
  companyName: line,
  companyAddress: line,
  companyEmail: v.pipe(line, v.email('must be an email address')),
  companyPhone: line,
  companyLogoUrl: v.string(),
  description: v.string(),
  categories: v.pipe(v.array(line), v.maxLength(200, 'has too many categories')),
  categoryImages: v.record(v.string(), v.string()),
  policies: v.record(v.string(), v.string()),
});

export type WireStoreInfo = v.InferOutput<typeof StoreInfoSchema>;

/** The store record in `store.json`, where policies are the names of files. */
export const StoreFileSchema = v.strictObject({
  ...StoreInfoSchema.entries,
  policies: v.record(
    v.pipe(v.string(), v.regex(/^[a-z][a-z-]{0,49}$/, 'must be a slug such as terms')),
    v.pipe(
      v.string(),
      v.regex(/^policies\/[a-z][a-z-]*\.html$/, "must be a file such as 'policies/terms.html'"),
    ),
  ),
});
