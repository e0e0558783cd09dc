import * as v from 'valibot';
import { PAGE_SIZE } from '#domain/listing.ts';
import { type ProductFilterName, productFilter } from '#domain/product-filters.ts';
import { tidyCode, tidyText } from '#domain/text.ts';
import { answerCompressed, notModified, REVALIDATE } from '#server/http/cached-answer.ts';
import { Refusal } from '#server/http/refusal.ts';
import { defineCall } from '#server/services/call.ts';
import { StoreAnswerSchema, StoreTermsSchema } from '#server/store/schema.ts';
import { ProductAnswerSchema, ProductListSchema } from './schema.ts';

const MAX_PAGE_SIZE = 100;

const MAX_PAGE = 1_000_000;

/** Parses a whole number, clamped to 1 … `max`. A text that is no number becomes `fallback`. */
const wholeNumber = (fallback: number, max: number, description: string) =>
  v.pipe(
    v.optional(v.string(), ''),
    v.transform((text) => (text.trim() === '' ? Number.NaN : Number(tidyCode(text)))),
    v.transform((number) =>
      Number.isNaN(number) ? fallback : Math.min(Math.max(Math.floor(number), 1), max),
    ),
    v.number(),
    v.integer(),
    v.minValue(1),
    v.maxValue(max),
    v.description(description),
  );

const filterText = (description: string) =>
  v.optional(v.pipe(v.string(), v.trim(), v.toLowerCase(), v.description(description)));

const FilterFields = {
  category: filterText('Products of this category.'),
  parentCategory: filterText('Products of this parent category.'),
  gender: filterText("Products with this value of the attribute 'gender': Men or Women."),
  filter: filterText(
    "Comma-separated names: products of one of these categories or parent categories, for one of these genders, or without a gender where 'null' is named.",
  ),
} satisfies Readonly<Record<ProductFilterName, v.GenericSchema>>;

export const listProductsCall = defineCall('GET /products', 'Catalogue', 'listProducts', {
  access: 'public',
  spends: 'little',
  summary: 'List a page of the products on sale',
  description:
    'The order is stable. Filters are compared without regard to case. The old name of a category finds the new one.',
  request: {
    query: v.object({
      page: wholeNumber(1, MAX_PAGE, 'From 1.'),
      limit: wholeNumber(PAGE_SIZE, MAX_PAGE_SIZE, 'Products a page.'),
      ...FilterFields,
    }),
  },
  answer: ProductListSchema,
  async handle(context, services, { query: { page, limit, category = '', parentCategory = '', ...others } }) {
    const catalogueCache = await services.catalogue();
    const { categoryNow } = catalogueCache;
    // Until the next publication, the shop's pages have the old name.
    const filters = {
      ...others,
      category: categoryNow(tidyText(category).replace(/ +/g, ' ')),
      parentCategory: categoryNow(tidyText(parentCategory).replace(/ +/g, ' ')),
    };
    return answerCompressed(context, catalogueCache, JSON.stringify({ page, limit, ...filters }), () => {
      const found = catalogueCache.list(productFilter(filters), (page - 1) * limit, limit);
      const pagination = { page, limit, total: found.total, totalPages: Math.ceil(found.total / limit) };
      return `{"data":[${found.page.join(',')}],"pagination":${JSON.stringify(pagination)},"count":${found.total}}`;
    });
  },
});

export const getProductCall = defineCall('GET /products/:id', 'Catalogue', 'getProduct', {
  access: 'public',
  spends: 'little',
  summary: 'Get a product',
  description: 'A discontinued product is not found. Orders are charged at this price.',
  answer: ProductAnswerSchema,
  failures: [404],
  async handle(context, services) {
    const catalogueCache = await services.catalogue();
    const product = catalogueCache.product(context.req.param('id') ?? '');
    if (product === undefined) throw new Refusal(404, 'Product not found');
    return (
      notModified(context, catalogueCache.productEtag, REVALIDATE) ??
      context.body(`{"data":${product}}`, 200, { 'Content-Type': 'application/json' })
    );
  },
});

export const getStoreInfoCall = defineCall('GET /storeInfo', 'Catalogue', 'getStoreInfo', {
  access: 'public',
  spends: 'little',
  summary: 'Get the store record',
  description: 'Policies are HTML with placeholders such as {{companyName}}.',
  answer: StoreAnswerSchema,
  async handle(context, services) {
    const catalogueCache = await services.catalogue();
    return answerCompressed(context, catalogueCache, 'store info', () => catalogueCache.storeInfo);
  },
});

export const getStoreTermsCall = defineCall('GET /storeTerms', 'Catalogue', 'getStoreTerms', {
  access: 'public',
  spends: 'little',
  summary: 'Get what decides which orders are taken',
  description: 'A part of the store record. Orders are checked by it.',
  answer: StoreTermsSchema,
  async handle(context, services) {
    const { etag, storeTerms } = await services.catalogue();
    return (
      notModified(context, etag, REVALIDATE) ??
      context.body(storeTerms, 200, { 'Content-Type': 'application/json' })
    );
  },
});
