import * as v from 'valibot';
import { safeImage } from '#domain/redirect.ts';
import type { StoreInfo } from '#domain/store-info.ts';
import { line, listOf, text, textMap, unwrap } from './lenient.ts';

const CATEGORY_LIMIT = 200;
const POLICY_LIMIT = 200_000;

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
    categories: listOf(v.pipe(v.string(), line(1_500), v.minLength(1)), CATEGORY_LIMIT),
    categoryImages: v.pipe(
      textMap(v.string(), CATEGORY_LIMIT, 2_048),
      v.transform((images) => new Map([...images].map(([name, url]) => [name, safeImage(url)]))),
    ),
    policies: textMap(v.string(), 20, POLICY_LIMIT),
  }),
  v.transform((store): StoreInfo => store),
);
