import type { ReactNode } from 'react';
import { formatPaise } from '#domain/money.ts';
import { LOG_PAGES } from '#server/admin/change-log-pages.tsx';
import { STAFF_STATUSES } from '#server/admin/order-status.ts';
import { type AdminContext, type AdminPage, type Section, staffOf } from '#server/admin/page.ts';
import { ADMIN } from '#server/admin/paths.ts';
import { Allowed, type MayOpen } from '#server/admin/rights.tsx';
import { ASSET_PAGES } from '#server/admin/views/assets.tsx';
import { showPage } from '#server/admin/views/Page.tsx';
import { Link, LinkButton, Notice, Row, StatusBadge, Time, TouchLink } from '#server/admin/views/pieces.tsx';
import { CATEGORY_PAGES } from '#server/catalogue/categories/category-pages.tsx';
import { PRICE_PAGES } from '#server/catalogue/prices/price-pages.tsx';
import { PRODUCT_LIST_PAGES } from '#server/catalogue/products/list-pages.tsx';
import { PRODUCT_PAGES } from '#server/catalogue/products/product-pages.tsx';
import { findAlerts, waitingText } from '#server/doctor/alerts.ts';
import { openingFindings } from '#server/doctor/checks.ts';
import { emailPages } from '#server/email/pages.tsx';
import { BLOCK_PAGES } from '#server/fulfilment/admin/block-pages.tsx';
import { CORRECTION_PAGES } from '#server/fulfilment/admin/correction-pages.tsx';
import { EXPORT_PAGES } from '#server/fulfilment/admin/export-pages.tsx';
import { LIST_PAGES } from '#server/fulfilment/admin/list-pages.tsx';
import {
  allOf,
  countByStatus,
  ofMoney,
  orderTotals,
  placedSince,
} from '#server/fulfilment/admin/listed-orders.ts';
import { NEW_ORDER_PAGES } from '#server/fulfilment/admin/new-order-pages.tsx';
import { ORDER_PAGE } from '#server/fulfilment/admin/order-page.tsx';
import { TRANSITION_PAGES } from '#server/fulfilment/admin/transition-pages.tsx';
import { BATCH_PAGES } from '#server/fulfilment/batches/batch-pages.tsx';
import { PRINT_PAGES } from '#server/fulfilment/batches/print-pages.tsx';
import { RETURN_PAGES } from '#server/fulfilment/returns/return-pages.tsx';
import { CASH, CASH_PAGES } from '#server/ledger/admin/cash-pages.tsx';
import { MONEY_FILE_PAGES } from '#server/ledger/admin/money-export.tsx';
import { MONEY_LABELS } from '#server/ledger/labels.ts';
import { BOOKING_PAGES } from '#server/payments/admin/money-section.tsx';
import { PAYMENT_METHOD_PAGES } from '#server/payments/admin/payment-method-pages.tsx';
import { CUSTOMER_PAGES } from '#server/privacy/pages.tsx';
import { DAY } from '#server/process/clock.ts';
import { PUBLISH_PAGES } from '#server/publishing/pages.tsx';
import type { Services } from '#server/services/services.ts';
import { NOTIFICATION_PAGES } from '#server/staff/notification-pages.tsx';
import { PASSWORD_PAGES } from '#server/staff/password-pages.tsx';
import { SECOND_FACTOR_PAGES } from '#server/staff/second-factor-pages.tsx';
import { SIGN_IN_PAGES } from '#server/staff/sign-in-pages.tsx';
import { STAFF_PAGES } from '#server/staff/staff-pages.tsx';
import { POLICY_PAGES } from '#server/store/policy-pages.tsx';
import { RECORD_PAGES } from '#server/store/record-pages.tsx';
import { EMAILS } from './emails.ts';
import { openTasks } from './tasks.ts';

const MONTH = 30 * DAY;

async function orderCounts({ db, clock }: Services): Promise<ReactNode> {
  const since = placedSince(clock() - MONTH);
  const kinds = ['paid', 'partly_refunded', 'to_collect', 'partly_paid', 'unpaid'] as const;
  const [counts, ...totals] = await Promise.all([
    countByStatus(db),
    ...kinds.map((money) =>
      orderTotals(db, money === 'to_collect' ? ofMoney(money) : allOf(ofMoney(money), since)),
    ),
  ]);
  const sums = kinds.map((money, index) => {
    const { count = 0, paise: sum = 0, toPayPaise = 0 } = totals[index] ?? {};
    const paise = money === 'to_collect' ? toPayPaise : sum;
    return (
      <li key={money}>
        <TouchLink href={`${ADMIN}/orders?money=${money}`}>
          {MONEY_LABELS[money]}: {count}, {formatPaise(paise)}
        </TouchLink>
      </li>
    );
  });
  const items = Object.values(STAFF_STATUSES).map(({ code }) => (
    <li key={code} className="rounded-panel bg-mist p-4">
      <a className="block text-inherit no-underline" href={`${ADMIN}/orders?status=${code}`}>
        <strong className="block text-heading">{counts.get(code) ?? 0}</strong>
        <StatusBadge status={code} />
      </a>
    </li>
  ));
  return (
    <>
      <h2>Orders</h2>
      <ul className="m-0 mb-7 grid list-none grid-cols-[repeat(auto-fill,minmax(152px,1fr))] gap-3 p-0">
        {items}
      </ul>
      <Allowed to={CASH}>
        <p className="m-0">Orders of the last 30 days, and all cash to collect:</p>
        <ul>{sums}</ul>
      </Allowed>
    </>
  );
}

const listNotice = (id: string, title: string, items: readonly ReactNode[]): ReactNode =>
  items.length > 0 && (
    <Notice id={id} title={title}>
      <ul>{items}</ul>
    </Notice>
  );

async function renderTasks(services: Services, mayOpen: MayOpen): Promise<ReactNode> {
  const tasks = await openTasks(services, (path) => mayOpen(ADMIN + path));
  const items = tasks.map(({ text, path }) => (
    <li key={path}>
      <TouchLink href={`${ADMIN}${path}`}>{text}</TouchLink>
    </li>
  ));
  return listNotice('tasks', 'Tasks', items);
}

/** What does not work now. Each is shown to those who can open its page, and that of the machine to owners. */
async function renderAlerts(services: Services, mayOpen: MayOpen): Promise<ReactNode> {
  const alerts = await findAlerts(services);
  const shown = alerts.filter(({ page = '/staff' }) => mayOpen(ADMIN + page));
  const items = shown.map(({ name, problem, since, waiting, todo, page }) => (
    <li key={name}>
      <strong>
        <Link href={`${ADMIN}${page ?? ''}`}>{problem}</Link>
      </strong>
      <br />
      Since <Time at={since} />.{waitingText(waiting)} {todo}
    </li>
  ));
  return listNotice('alerts', 'This does not work now', items);
}

/** What `npm run doctor` finds before the shop opens, except checks that need access to the machine. */
async function renderFindings(services: Services): Promise<ReactNode> {
  const findings = await openingFindings(services);
  if (findings.length === 0) return '';
  const items = findings.map(({ severity, problem, todo, page }) => {
    const title = page ? <a href={`${ADMIN}${page}`}>{problem}</a> : problem;
    return (
      <li key={problem}>
        {severity === 'blocks' ? <strong>{title}</strong> : title}
        <br />
        {todo}
      </li>
    );
  });
  // A restored backup can happen on any day, long after the shop has opened.
  const isUrgent = findings.some(({ name }) => name === 'restored backup');
  const blocking = findings.filter(({ severity }) => severity === 'blocks').length;
  return (
    <details
      className="mb-5 rounded-panel border-2 border-error bg-raised px-4 py-3"
      open={blocking > 0 || isUrgent}
    >
      <summary>
        Before you open: {blocking} to do, {findings.length - blocking} to know
      </summary>
      <ul>{items}</ul>
    </details>
  );
}

async function showHome(context: AdminContext, services: Services): Promise<Response> {
  const mayOpen = context.get('mayOpen');
  const links = context.get('sections').map(({ name, path }) => (
    <LinkButton key={name} href={`${ADMIN}${path}`}>
      {name}
    </LinkButton>
  ));
  return showPage(context, {
    title: `Hello ${staffOf(context).name}`,
    content: (
      <>
        {await renderAlerts(services, mayOpen)}
        <Allowed to={`${ADMIN}/staff`}>{await renderFindings(services)}</Allowed>
        {await renderTasks(services, mayOpen)}
        <Allowed to={`${ADMIN}/orders`}>{await orderCounts(services)}</Allowed>
        <Row>{links}</Row>
      </>
    ),
  });
}

/** Every page of the admin. admin/README.md says how to add one. */
export const ADMIN_PAGES: readonly AdminPage[] = [
  ...ASSET_PAGES,
  ...SIGN_IN_PAGES,
  { method: 'GET', path: '/', access: 'staff', handle: showHome },
  ...RECORD_PAGES,
  ...CATEGORY_PAGES,
  ...POLICY_PAGES,
  ...PUBLISH_PAGES,
  ...PRODUCT_LIST_PAGES,
  ...PRODUCT_PAGES,
  ...PRICE_PAGES,
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
  ...TRANSITION_PAGES,
  // The first matching path wins, so that of a single order follows the other pages of orders.
  ...ORDER_PAGE,
  ...BLOCK_PAGES,
  ...PAYMENT_METHOD_PAGES,
  ...emailPages(EMAILS),
  ...CUSTOMER_PAGES,
  ...STAFF_PAGES,
  ...LOG_PAGES,
  ...NOTIFICATION_PAGES,
  ...PASSWORD_PAGES,
  ...SECOND_FACTOR_PAGES,
];

/** The navigation, in order. A section is shown to those who may open it, if ADMIN_PAGES has its path. */
export const SECTIONS: readonly Section[] = [
  { name: 'Orders', path: '/orders' },
  { name: 'Returns', path: '/orders/returns' },
  { name: 'Customers', path: '/customers' },
  { name: 'Catalogue', path: '/catalogue', beginsGroup: true },
  { name: 'Categories', path: '/store/categories' },
  { name: 'Prices', path: '/catalogue/prices' },
  { name: 'Store', path: '/store', beginsGroup: true },
  { name: 'Policies', path: '/policies' },
  { name: 'Publish', path: '/publish' },
  { name: 'Payment methods', path: '/payment-methods', beginsGroup: true },
  { name: 'Emails', path: '/emails' },
  { name: 'Staff', path: '/staff' },
  { name: 'Log', path: '/log' },
];
