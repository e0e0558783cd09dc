import * as v from 'valibot';
import { isEmail } from '#domain/email.ts';
import { isPlainText } from '#domain/text.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { STORE_DEFAULTS } from '#site.ts';
import type { Place } from './letter.ts';

const SenderSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    storeName: v.optional(v.string(), ''),
    companyName: v.optional(v.string(), ''),
    companyAddress: v.optional(v.string(), ''),
    companyEmail: v.optional(v.string(), ''),
    companyPhone: v.optional(v.string(), ''),
    refundDays: v.nullish(v.number(), STORE_DEFAULTS.refundDays),
    returnDays: v.nullish(v.number(), STORE_DEFAULTS.returnDays),
  }),
);

export type Sender = v.InferOutput<typeof SenderSchema>;

/** Who the letters of this shop come from. */
export const senderOf = async ({ catalogue }: Pick<Shop, 'catalogue'>): Promise<Sender> =>
  v.parse(SenderSchema, (await catalogue()).storeInfo);

/** The origin of the site, which no request can change. */
export const siteOf = ({ settings }: Pick<Shop, 'settings'>): string => settings.siteOrigins[0] ?? '';

/** What a letter of this shop may name. @param link its link, or '' */
export const placeOf = (shop: Shop, { storeName, refundDays, returnDays }: Sender, link: string): Place => ({
  site: siteOf(shop),
  api: shop.apiOrigin,
  storeName,
  refundDays,
  returnDays,
  link,
});

/** An address that would bring further recipients or headers with it is none. */
export const isAddress = (text: string): boolean => isPlainText(text) && isEmail(text);
