import { LIST_PAGES } from './catalogue/list-pages.ts';
import { PRICE_PAGES } from './catalogue/price-pages.ts';
import { PRODUCT_PAGES } from './catalogue/product-pages.ts';
import { SORT_PAGES } from './catalogue/sort-pages.ts';
import { HOME_PAGES } from './home.ts';
import { LOG_PAGES } from './log/pages.ts';
import { ORDER_PAGES } from './orders/pages.ts';
import type { OfficePage } from './page.ts';
import { POLICY_PAGES } from './policies/pages.ts';
import { PUBLISH_PAGES } from './publish/pages.ts';
import { LINK_PAGES } from './staff/link-pages.ts';
import { PASSWORD_PAGES } from './staff/password-pages.ts';
import { SIGN_IN_PAGES } from './staff/sign-in-pages.ts';
import { STAFF_PAGES } from './staff/staff-pages.ts';
import { CATEGORY_LIST_PAGES } from './store/category-list-pages.ts';
import { CATEGORY_PAGES } from './store/category-pages.ts';
import { RECORD_PAGES } from './store/record-pages.ts';
import { ASSET_PAGES } from './views/assets.ts';

/** Every page of the office. README.md says how to add one. */
export const OFFICE_PAGES: readonly OfficePage[] = [
  ...ASSET_PAGES,
  ...SIGN_IN_PAGES,
  ...LINK_PAGES,
  ...HOME_PAGES,
  ...RECORD_PAGES,
  ...CATEGORY_LIST_PAGES,
  ...CATEGORY_PAGES,
  ...POLICY_PAGES,
  ...PUBLISH_PAGES,
  ...LIST_PAGES,
  ...PRODUCT_PAGES,
  ...SORT_PAGES,
  ...PRICE_PAGES,
  ...ORDER_PAGES,
  ...STAFF_PAGES,
  ...LOG_PAGES,
  ...PASSWORD_PAGES,
];
