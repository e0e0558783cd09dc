import * as v from 'valibot';
import { safeImage } from '#domain/image-address.ts';
import type { StoreInfo } from '#domain/store-info.ts';
import { line, listOf, text, textMap, unwrap } from './lenient.ts';

const CATEGORY_LIMIT = 200;
/** The most bytes that the name of a category may take up in a page. */
const CATEGORY_BYTES = 1_500;
const POLICY_LIMIT = 20;
const POLICY_LENGTH = 200_000;

/** GET /storeInfo (spec 3). Every field is optional, but the response must be an object. */
export const WireStoreInfo = v.pipe(
  v.unknown(),
  v.transform(unwrap),
  v.object({
    storeName: text(200),
    companyName: text(200),
    companyAddress: text(500),
    companyEmail: text(320),
    companyPhone: text(40),
    companyLogoUrl: v.pipe(v.optional(v.unknown(), ''), v.transform(safeImage)),
    description: text(2_000),
    categories: listOf(v.pipe(v.string(), line(CATEGORY_BYTES), v.minLength(1)), CATEGORY_LIMIT),
    categoryImages: v.pipe(
      textMap(v.string(), CATEGORY_LIMIT, 2_048),
      v.transform((images) => new Map([...images].map(([name, url]) => [name, safeImage(url)]))),
    ),
    policies: textMap(v.string(), POLICY_LIMIT, POLICY_LENGTH),
  }),
  v.transform((store): StoreInfo => store),
);
