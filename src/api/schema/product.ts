import * as v from 'valibot';
import { colorsOf, isFeatured, sizesOf } from '#domain/attributes.ts';
import { PRODUCT_TERMS, type ProductBuying, type ProductTerms, STOCK_STATES } from '#domain/buying/facts.ts';
import { HIGHEST_PRICE } from '#domain/money.ts';
import { cutToBytes } from '#domain/page-bytes.ts';
import type { Attribute, Product, Whole } from '#domain/product.ts';
import { safeImage } from '#domain/url.ts';
import { readValue } from './field-value.ts';
import {
  type Dropped,
  Id,
  keepValidInSlices,
  line,
  listOf,
  pageText,
  scalar,
  text,
  unwrapped,
} from './lenient.ts';

const ATTRIBUTE_LIMIT = 200;
const IMAGE_LIMIT = 20;

const NAME_BYTES = 500;
const CATEGORY_BYTES = 1_500;
const KEY_BYTES = 400;
const DESCRIPTION_BYTES = 9_000;

/** In rupees, or absent or null. Any other value makes the product invalid. */
const PriceSchema = v.nullish(v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(HIGHEST_PRICE)));

const Values = v.union([
  v.pipe(
    scalar,
    v.transform((value) => [value]),
  ),
  listOf(scalar, ATTRIBUTE_LIMIT),
]);

const AttributeSchema = v.pipe(
  v.object({
    key: v.string(),
    value: v.optional(Values),
    values: v.optional(Values),
    metricUnit: text(40),
  }),
  v.transform(
    ({ key, value, values, metricUnit }): Attribute => ({
      key: cutToBytes(key.trim(), KEY_BYTES),
      values: (values ?? value ?? []).map((item) => item.slice(0, 500)),
      ...(metricUnit ? { unit: metricUnit } : {}),
    }),
  ),
);

const Stock = {
  availability: v.fallback(v.optional(v.picklist(STOCK_STATES)), undefined),
  left: v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))), undefined),
};

const SIZE_LIMIT = 60;

const SizeSchema = v.pipe(
  v.object({ size: v.string(), ...Stock }),
  v.transform(({ availability = 'in_stock', ...size }) => ({ ...size, availability })),
);

type TermSchemas = {
  readonly [Name in keyof Required<ProductTerms>]: v.GenericSchema<unknown, ProductTerms[Name]>;
};

/** The cast is needed: TypeScript cannot see that `readValue` returns the value that fits the field's kind. */
const Terms = Object.fromEntries(
  Object.entries(PRODUCT_TERMS).map(([name, field]) => [
    name,
    v.pipe(
      v.optional(v.unknown()),
      v.transform((value) => readValue(field, value)),
      // As a text, an empty list is empty, too.
      v.transform((value) => (value && String(value) ? value : undefined)),
    ),
  ]),
) as Record<string, v.GenericSchema<unknown, unknown>> as TermSchemas;

const TERM_NAMES = Object.keys(PRODUCT_TERMS) as (keyof ProductTerms)[];

const BuyingEntries = { ...Stock, sizes: listOf(SizeSchema, SIZE_LIMIT), ...Terms };

/** Returns undefined if nothing limits how much can be bought, as for an API without stock. */
function buyingOf(dto: ProductBuying): ProductBuying | undefined {
  const { availability = 'in_stock', left, sizes = [] } = dto;
  const terms: ProductTerms = Object.fromEntries(TERM_NAMES.map((name) => [name, dto[name]]));
  const isCounted =
    left !== undefined ||
    availability !== 'in_stock' ||
    sizes.some((size) => size.availability !== 'in_stock' || size.left !== undefined);
  const stock = isCounted ? { availability, left, sizes } : {};
  const isLimited = isCounted || Object.values(terms).some((term) => term !== undefined);
  return isLimited ? { ...terms, ...stock } : undefined;
}

export const LenientProductSchema = v.pipe(
  v.object({
    id: Id,
    title: v.pipe(v.string(), v.trim(), v.minLength(1)),
    description: pageText(DESCRIPTION_BYTES),
    imgUrl: v.optional(v.unknown()),
    category: line(CATEGORY_BYTES),
    parentCategory: line(CATEGORY_BYTES),
    regularPrice: PriceSchema,
    discountedPrice: PriceSchema,
    saleFrom: text(40),
    saleUntil: text(40),
    images: listOf(v.object({ url: v.unknown() }), IMAGE_LIMIT),
    attributes: listOf(AttributeSchema, ATTRIBUTE_LIMIT),
    createdAt: text(40),
    ...BuyingEntries,
  }),
  v.transform((dto): Product => {
    const regular = dto.regularPrice ?? 0;
    const discounted = dto.discountedPrice ?? 0;
    const mainImage = safeImage(dto.imgUrl);
    const images = [...new Set([mainImage, ...dto.images.map(({ url }) => safeImage(url))])].filter(
      (url) => url !== '',
    );
    const product: Whole<Product> = {
      id: dto.id,
      name: cutToBytes(dto.title, NAME_BYTES),
      price: discounted || regular,
      originalPrice: discounted > 0 && regular > 0 ? regular : undefined,
      saleFrom: dto.saleFrom || undefined,
      saleUntil: dto.saleUntil || undefined,
      image: images[0] ?? '',
      images,
      category: dto.category,
      parentCategory: dto.parentCategory,
      description: dto.description,
      featured: isFeatured(dto.attributes),
      sizes: sizesOf(dto.attributes),
      colors: colorsOf(dto.attributes),
      attributes: dto.attributes,
      buying: buyingOf(dto),
      createdAt: dto.createdAt || undefined,
    };
    return product;
  }),
);

export interface ProductPage {
  readonly products: Product[];
  readonly total: number;
  /** Whether the server sent the total. Otherwise it is the length of this page. */
  readonly isCounted: boolean;
  readonly dropped: Dropped[];
}

const CountSchema = v.fallback(v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))), undefined);

/** GET /products. `total` is pagination.total, else count, else the length of data. */
export const ProductPageSchema = v.pipeAsync(
  v.object({
    data: v.array(v.unknown()),
    count: CountSchema,
    pagination: v.fallback(v.optional(v.object({ total: CountSchema })), undefined),
  }),
  v.transformAsync(async ({ data, count, pagination }): Promise<ProductPage> => {
    const { valid, dropped } = await keepValidInSlices(LenientProductSchema, data);
    const total = pagination?.total ?? count;
    return { products: valid, total: total ?? data.length, isCounted: total !== undefined, dropped };
  }),
);

export const SingleProductSchema = unwrapped(LenientProductSchema);
