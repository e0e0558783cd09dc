import type { PaymentKind } from './buying/facts.ts';
import type { StoreRecord } from './store-fields.ts';

/** A third party that receives data of the shopper, for the privacy policy. */
export interface DataRecipient {
  readonly name: string;
  readonly receives: string;
}

/** How many days the shop stores `what` after the event `after`, for the privacy policy. */
export interface RetentionRule {
  readonly what: string;
  readonly days: number;
  readonly after: string;
}

/** Addresses that changed: the new name by the old one. */
export interface Moved {
  /** Old names in lower case. */
  readonly categories: ReadonlyMap<string, string>;
  /** By id. */
  readonly products: ReadonlyMap<string, string>;
}

export interface StoreInfo extends StoreRecord {
  readonly categories: readonly string[];
  /** Picture addresses by category name. */
  readonly categoryImages: ReadonlyMap<string, string>;
  /** The server's HTML by slug, not sanitised. */
  readonly policies: ReadonlyMap<string, string>;
  readonly paymentProviders?: readonly DataRecipient[];
  readonly paymentMethods?: readonly PaymentKind[];
  readonly mailProvider?: string;
  readonly retention?: readonly RetentionRule[];
  readonly moved?: Moved;
}

/** Used if the store record has no categories. */
const HOME_CATEGORIES = ['Tropical Fruits', 'Citrus Fruits', 'Berries', 'Stone Fruits', 'Exotic Fruits'];
export const MENU_CATEGORIES = ['men', 'women', 'accessories'];
/** Used if the store record could not be loaded. */
export const FALLBACK_CATEGORIES: readonly string[] = ['Accessories'];

const HOME_LIMIT = 3;
const HEADER_LIMIT = 3;
const FALLBACK_NAME = 'Fresh Fruits';

export const displayName = ({
  storeName,
  companyName,
}: Pick<StoreInfo, 'storeName' | 'companyName'>): string => storeName || companyName || FALLBACK_NAME;

/** Returns the absolute URL of a path or a picture. */
export const absoluteAddress = ({ siteUrl }: Pick<StoreInfo, 'siteUrl'>, address: string): string =>
  new URL(address, siteUrl).href;

export const telLink = (phone: string): string => `tel:${phone.replace(/[^\d+]/g, '')}`;

const firstOf = (categories: readonly string[], defaults: readonly string[], limit: number): string[] =>
  (categories.length > 0 ? categories : defaults).slice(0, limit);

export const homeCategories = ({ categories }: Pick<StoreInfo, 'categories'>): string[] =>
  firstOf(categories, HOME_CATEGORIES, HOME_LIMIT);

export const headerCategories = ({ categories }: Pick<StoreInfo, 'categories'>): string[] =>
  firstOf(categories, MENU_CATEGORIES, HEADER_LIMIT);

/** Returns the category's image, else the record's 'default', else ''. */
export const categoryImage = ({ categoryImages }: Pick<StoreInfo, 'categoryImages'>, name: string): string =>
  categoryImages.get(name) || categoryImages.get('default') || '';
