import * as v from 'valibot';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { STORE_DEFAULTS } from '#site.ts';

const ReturnsSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ returnDays: v.nullish(v.number(), STORE_DEFAULTS.returnDays) }),
);

/** For how many days an order may be returned after it was delivered. 0 is not at all. */
export const readReturnDays = async ({ catalogue }: Pick<Shop, 'catalogue'>): Promise<number> =>
  v.parse(ReturnsSchema, (await catalogue()).storeInfo).returnDays;
