import * as v from 'valibot';
import { isReserved } from '#server/http/names.ts';
import { momentSchema, PriceSchema, tidied } from '#server/http/sent-values.ts';

const shortText = (max: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.maxLength(max, `has more than ${max} characters`),
    tidied,
    v.nonEmpty('must not be empty'),
  );

export const ProductIdSchema = v.pipe(
  v.string(),
  v.regex(
    /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/,
    'must be 1 to 100 letters, digits, dots, hyphens or underscores',
  ),
  v.check((id) => !isReserved(id), 'is a reserved name'),
  v.check((id) => !/\.(?:html|br|gz|dcz)$/i.test(id), 'must not end like a file of the site'),
);

export const AttributeSchema = v.strictObject({
  id: v.optional(shortText(100)),
  key: shortText(100),
  values: v.pipe(
    v.array(shortText(500)),
    v.minLength(1, 'needs a value'),
    v.maxLength(100, 'has too many values'),
  ),
  metricUnit: v.optional(shortText(20)),
});

/** A product in the database and in the files of a catalogue folder. Its pictures are file names, or addresses at other hosts. */
export const CatalogueProductSchema = v.strictObject({
  id: ProductIdSchema,
  title: shortText(200),
  description: v.pipe(v.string(), v.maxLength(20_000, 'has more than 20000 characters')),
  imgUrl: shortText(2_000),
  category: shortText(100),
  parentCategory: shortText(100),
  regularPrice: PriceSchema,
  discountedPrice: v.nullable(PriceSchema),
  saleFrom: v.optional(momentSchema()),
  saleUntil: v.optional(momentSchema()),
  createdAt: v.pipe(v.string(), v.isoTimestamp('must be an ISO time such as 2025-04-05T09:30:00Z')),
  images: v.pipe(v.array(v.strictObject({ url: shortText(2_000) })), v.maxLength(20, 'has too many images')),
  attributes: v.pipe(v.array(AttributeSchema), v.maxLength(100, 'has too many attributes')),
});

export type CatalogueProduct = v.InferOutput<typeof CatalogueProductSchema>;

/** A product in the API has the sale of this moment: one that is only planned is not public. */
export const ProductAnswerSchema = v.object({ data: CatalogueProductSchema });

export const ProductListSchema = v.object({
  data: v.array(CatalogueProductSchema),
  pagination: v.object({ page: v.number(), limit: v.number(), total: v.number(), totalPages: v.number() }),
  count: v.number(),
});
