import * as v from 'valibot';
import { OFFER_NAMES } from '#domain/offers.ts';

export const line = v.pipe(
  v.string(),
  v.trim(),
  v.nonEmpty('must not be empty'),
  v.maxLength(2_000, 'is too long'),
);

/** The part of the store record that is about the company. */
const RECORD = {
  storeName: line,
  companyName: line,
  companyAddress: line,
  companyEmail: v.pipe(line, v.email('must be an email address')),
  companyPhone: line,
  companyLogoUrl: v.string(),
  description: v.string(),
};

export const StoreRecordSchema = v.strictObject(RECORD);

/** The store record as it is sent (spec 3). */
export const StoreInfoSchema = v.object({
  ...RECORD,
  categories: v.pipe(v.array(line), v.maxLength(200, 'has too many categories')),
  categoryImages: v.record(v.string(), v.string()),
  policies: v.record(v.string(), v.string()),
});

/** The answer of GET /storeInfo. */
export const StoreAnswerSchema = v.object({
  ...StoreInfoSchema.entries,
  offers: v.pipe(
    v.optional(v.array(v.picklist(OFFER_NAMES))),
    v.description('What the API offers beyond these calls. A shop uses only what is listed.'),
  ),
});

export type WireStoreInfo = v.InferOutput<typeof StoreInfoSchema>;

export const PolicySlugSchema = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z-]{0,49}$/, 'must be a slug such as terms'),
);

export const PolicyHtmlSchema = v.optional(
  v.pipe(
    v.string(),
    v.check((html) => html.trim() !== '', 'must not be empty'),
    v.maxLength(200_000, 'has more than 200000 characters'),
  ),
);

export type PolicyHtml = v.InferOutput<typeof PolicyHtmlSchema>;
