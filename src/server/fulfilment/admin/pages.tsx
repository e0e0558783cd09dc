import type { AdminPage } from '#server/admin/page.ts';
import { BATCH_PAGES } from '#server/fulfilment/batches/batch-pages.tsx';
import { PRINT_PAGES } from '#server/fulfilment/batches/print-pages.tsx';
import { RETURN_PAGES } from '#server/fulfilment/returns/return-pages.tsx';
import { CASH_PAGES } from '#server/ledger/admin/cash-pages.tsx';
import { MONEY_FILE_PAGES } from '#server/ledger/admin/money-export.tsx';
import { BOOKING_PAGES } from '#server/payments/admin/money-section.tsx';
import { BLOCK_PAGES } from './block-pages.tsx';
import { CORRECTION_PAGES } from './correction-pages.tsx';
import { EXPORT_PAGES } from './export-pages.tsx';
import { INVOICE_PAGES } from './invoice-pages.tsx';
import { LIST_PAGES } from './list-pages.tsx';
import { NEW_ORDER_PAGES } from './new-order-pages.tsx';
import { ORDER_PAGE } from './order-page.tsx';
import { TRANSITION_PAGES } from './transition-pages.tsx';

/** The first matching path wins, so the page of a single order comes last. */
export const ORDER_PAGES: readonly AdminPage[] = [
  ...LIST_PAGES,
  ...NEW_ORDER_PAGES,
  ...CASH_PAGES,
  ...BOOKING_PAGES,
  ...EXPORT_PAGES,
  ...MONEY_FILE_PAGES,
  ...BATCH_PAGES,
  ...PRINT_PAGES,
  ...RETURN_PAGES,
  ...CORRECTION_PAGES,
  ...INVOICE_PAGES,
  ...TRANSITION_PAGES,
  ...ORDER_PAGE,
  ...BLOCK_PAGES,
];
