import * as v from 'valibot';
import { type ProductTerms, STOCK_STATES } from '#domain/buying/facts.ts';
import { isReserved } from '#server/http/names.ts';
import { momentSchema, PriceSchema, tidied } from '#server/http/sent-values.ts';
import { PRODUCT_TERM_ENTRIES } from '#server/store/schema.ts';

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
  ...PRODUCT_TERM_ENTRIES,
});

/** Without it no order could have the product. */
export const leastFits = ({ minPerOrder = 1, maxPerOrder = minPerOrder }: ProductTerms): boolean =>
  maxPerOrder >= minPerOrder;

export type CatalogueProduct = v.InferOutput<typeof CatalogueProductSchema>;

/** Labels and hints of PRODUCT_TERMS in the form of a product. */
export const PRODUCT_TERM_LABELS: Readonly<
  Record<keyof ProductTerms, { readonly label: string; readonly hint: string }>
> = {
  backOn: {
    label: 'Back on',
    hint: 'Until this day the shop says that it is sold out, and when it is back.',
  },
  minPerOrder: { label: 'At least in one order', hint: 'Pieces, such as 5.' },
  maxPerOrder: { label: 'At most in one order', hint: 'Pieces, such as 2.' },
};

const StockEntries = { availability: v.picklist(STOCK_STATES), left: v.optional(v.number()) };

/**
 * A product in the API has the sale of this moment: one that is only planned is not public. Lists say neither 'few_left' nor
 * how many are left, and name sizes if one is sold out.
 */
const ProductDtoSchema = v.strictObject({
  ...CatalogueProductSchema.entries,
  ...StockEntries,
  sizes: v.optional(v.array(v.strictObject({ size: v.string(), ...StockEntries }))),
});

export const ProductAnswerSchema = v.object({ data: ProductDtoSchema });

export const ProductListSchema = v.object({
  data: v.array(ProductDtoSchema),
  pagination: v.object({ page: v.number(), limit: v.number(), total: v.number(), totalPages: v.number() }),
  count: v.number(),
});
