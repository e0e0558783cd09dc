import type { OfficePage } from '#scripts/api/office/page.ts';
import { RETURN_PAGES } from '#scripts/api/orders/returns/return-pages.ts';
import { MONEY_PAGES } from '#scripts/api/payments/office/money-pages.ts';
import { EXPORT_PAGES } from './export-pages.ts';
import { LIST_PAGES } from './list-pages.ts';
import { MOVE_PAGES } from './move-pages.ts';
import { ORDER_PAGE } from './order-page.ts';
import { SLIP_PAGES } from './slip-pages.ts';

/** The first page whose path fits answers, so the one of any order comes last. */
export const ORDER_PAGES: readonly OfficePage[] = [
  ...LIST_PAGES,
  ...MONEY_PAGES,
  ...EXPORT_PAGES,
  ...SLIP_PAGES,
  ...RETURN_PAGES,
  ...MOVE_PAGES,
  ORDER_PAGE,
];
