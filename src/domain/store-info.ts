import type { StoreRecord } from './store-fields.ts';

/** Somebody else who is told something of the shopper. */
export interface DataRecipient {
  readonly name: string;
  readonly receives: string;
}

/** Something that the shop keeps of its shoppers for so many days after something has happened. */
export interface RetentionRule {
  readonly what: string;
  readonly days: number;
  readonly after: string;
}

/** The store record. */
export interface StoreInfo extends StoreRecord {
  readonly categories: readonly string[];
  /** Picture addresses by category name. */
  readonly categoryImages: ReadonlyMap<string, string>;
  /** The server's HTML by slug, not sanitised. */
  readonly policies: ReadonlyMap<string, string>;
  /** Who takes the payments, and is told what, for the privacy policy. */
  readonly paymentProviders?: readonly DataRecipient[];
  /** Who carries the emails of the shop, and how long what is kept, for the privacy policy. */
  readonly mailProvider?: string;
  readonly retention?: readonly RetentionRule[];
}

/** Used when the store record has no categories. */
const HOME_CATEGORIES = ['Tropical Fruits', 'Citrus Fruits', 'Berries', 'Stone Fruits', 'Exotic Fruits'];
const MENU_CATEGORIES = ['men', 'women', 'accessories'];
/** Used when the store record could not be loaded. */
export const FALLBACK_CATEGORIES: readonly string[] = ['Accessories'];

const HOME_LIMIT = 3;
const HEADER_LIMIT = 3;
const FALLBACK_NAME = 'Fresh Fruits';

/** Store name, else company name, else 'Fresh Fruits'. */
export const displayName = ({
  storeName,
  companyName,
}: Pick<StoreInfo, 'storeName' | 'companyName'>): string => storeName || companyName || FALLBACK_NAME;

/** The whole address of a path of the shop, or of a picture. */
export const absoluteAddress = ({ siteUrl }: Pick<StoreInfo, 'siteUrl'>, address: string): string =>
  new URL(address, siteUrl).href;

/** The `tel:` address for a phone number as people write it. */
export const telLink = (phone: string): string => `tel:${phone.replace(/[^\d+]/g, '')}`;

const firstOf = (categories: readonly string[], defaults: readonly string[], limit: number): string[] =>
  (categories.length > 0 ? categories : defaults).slice(0, limit);

export const homeCategories = ({ categories }: Pick<StoreInfo, 'categories'>): string[] =>
  firstOf(categories, HOME_CATEGORIES, HOME_LIMIT);

export const headerCategories = ({ categories }: Pick<StoreInfo, 'categories'>): string[] =>
  firstOf(categories, MENU_CATEGORIES, HEADER_LIMIT);

/** The category's own image, else the record's 'default', else ''. */
export const categoryImage = ({ categoryImages }: Pick<StoreInfo, 'categoryImages'>, name: string): string =>
  categoryImages.get(name) || categoryImages.get('default') || '';
