/** The store record (spec 3). A missing text is ''. */
export interface StoreInfo {
  readonly storeName: string;
  readonly companyName: string;
  readonly companyAddress: string;
  readonly companyEmail: string;
  readonly companyPhone: string;
  readonly companyLogoUrl: string;
  readonly description: string;
  readonly categories: readonly string[];
  /** Picture addresses by category name. */
  readonly categoryImages: ReadonlyMap<string, string>;
  /** The server's HTML by slug, not sanitised. */
  readonly policies: ReadonlyMap<string, string>;
}

/** Used when the store record has no categories (spec 3; resolutions 17). */
const HOME_CATEGORIES = ['Tropical Fruits', 'Citrus Fruits', 'Berries', 'Stone Fruits', 'Exotic Fruits'];
const MENU_CATEGORIES = ['men', 'women', 'accessories'];
/** Used when the store record could not be loaded. */
const FALLBACK_CATEGORIES = ['Accessories'];

const HOME_LIMIT = 3;
const HEADER_LIMIT = 3;
const FALLBACK_NAME = 'Fresh Fruits';

export const EMPTY_STORE: StoreInfo = {
  storeName: '',
  companyName: '',
  companyAddress: '',
  companyEmail: '',
  companyPhone: '',
  companyLogoUrl: '',
  description: '',
  categories: FALLBACK_CATEGORIES,
  categoryImages: new Map(),
  policies: new Map(),
};

/** Store name, else company name, else 'Fresh Fruits' (spec 2, header). */
export const displayName = ({
  storeName,
  companyName,
}: Pick<StoreInfo, 'storeName' | 'companyName'>): string => storeName || companyName || FALLBACK_NAME;

const firstOf = (categories: readonly string[], defaults: readonly string[], limit: number): string[] =>
  (categories.length > 0 ? categories : defaults).slice(0, limit);

export const homeCategories = ({ categories }: Pick<StoreInfo, 'categories'>): string[] =>
  firstOf(categories, HOME_CATEGORIES, HOME_LIMIT);

export const headerCategories = ({ categories }: Pick<StoreInfo, 'categories'>): string[] =>
  firstOf(categories, MENU_CATEGORIES, HEADER_LIMIT);

/** The category's own image, else the record's 'default', else '' (spec 3, store info). */
export const categoryImage = ({ categoryImages }: Pick<StoreInfo, 'categoryImages'>, name: string): string =>
  categoryImages.get(name) || categoryImages.get('default') || '';
