import { CATEGORY_PAGES } from '#scripts/api/catalogue/categories/category-pages.ts';
import { CATEGORY_LIST_PAGES } from '#scripts/api/catalogue/categories/list-pages.ts';
import { PRICE_PAGES } from '#scripts/api/catalogue/prices/price-pages.ts';
import { SALE_PAGES } from '#scripts/api/catalogue/prices/sale-pages.ts';
import { PRODUCT_LIST_PAGES } from '#scripts/api/catalogue/products/list-pages.ts';
import { PRODUCT_PAGES } from '#scripts/api/catalogue/products/product-pages.ts';
import { SORT_PAGES } from '#scripts/api/catalogue/products/sort-pages.ts';
import { letterPages } from '#scripts/api/letters/pages.ts';
import { LOG_PAGES } from '#scripts/api/office/change-log-pages.ts';
import type { OfficePage, Section } from '#scripts/api/office/page.ts';
import { ASSET_PAGES } from '#scripts/api/office/views/assets.ts';
import { ORDER_PAGES } from '#scripts/api/orders/office/pages.ts';
import { COLLECT_PAGES } from '#scripts/api/payments/office/collect-page.ts';
import { REFUND_PAGES } from '#scripts/api/payments/office/refund-pages.ts';
import { WAYS_PAGES } from '#scripts/api/payments/office/ways-pages.ts';
import { CUSTOMER_PAGES } from '#scripts/api/privacy/pages.ts';
import { PUBLISH_PAGES } from '#scripts/api/publishing/pages.ts';
import { CODE_PAGES } from '#scripts/api/staff/code-pages.ts';
import { LINK_PAGES } from '#scripts/api/staff/link-pages.ts';
import { PASSWORD_PAGES } from '#scripts/api/staff/password-pages.ts';
import { SECOND_FACTOR_PAGES } from '#scripts/api/staff/second-factor-pages.ts';
import { SIGN_IN_PAGES } from '#scripts/api/staff/sign-in-pages.ts';
import { STAFF_PAGES } from '#scripts/api/staff/staff-pages.ts';
import { POLICY_PAGES } from '#scripts/api/store/policy-pages.ts';
import { RECORD_PAGES } from '#scripts/api/store/record-pages.ts';
import { LETTERS } from './letters.ts';
import { HOME_PAGES } from './office-home.ts';

/** Every page of the office. README.md says how to add one. */
export const OFFICE_PAGES: readonly OfficePage[] = [
  ...ASSET_PAGES,
  ...SIGN_IN_PAGES,
  ...CODE_PAGES,
  ...LINK_PAGES,
  ...HOME_PAGES,
  ...RECORD_PAGES,
  ...CATEGORY_LIST_PAGES,
  ...CATEGORY_PAGES,
  ...POLICY_PAGES,
  ...PUBLISH_PAGES,
  ...PRODUCT_LIST_PAGES,
  ...PRODUCT_PAGES,
  ...SORT_PAGES,
  ...PRICE_PAGES,
  ...SALE_PAGES,
  ...ORDER_PAGES,
  ...REFUND_PAGES,
  ...COLLECT_PAGES,
  ...WAYS_PAGES,
  ...letterPages(LETTERS),
  ...CUSTOMER_PAGES,
  ...STAFF_PAGES,
  ...LOG_PAGES,
  ...PASSWORD_PAGES,
  ...SECOND_FACTOR_PAGES,
];

/** The navigation in its order. A section is shown to who may open it, once `pages.ts` has a page of its path. */
export const SECTIONS: readonly Section[] = [
  { name: 'Orders', path: '/orders', access: 'orders' },
  { name: 'Catalogue', path: '/catalogue', access: 'catalogue' },
  { name: 'Store', path: '/store', access: 'store' },
  { name: 'Policies', path: '/policies', access: 'policies' },
  { name: 'Publish', path: '/publish', access: 'publish' },
  { name: 'Ways to pay', path: '/ways', access: 'money' },
  { name: 'Letters', path: '/letters', access: 'letters' },
  { name: 'Customers', path: '/customers', access: 'customers' },
  { name: 'Staff', path: '/staff', access: 'people' },
  { name: 'Log', path: '/log', access: 'log' },
];
