import { html } from 'hono/html';
import { STATUSES } from '#domain/order-status.ts';
import { LOG_PAGES } from '#server/admin/change-log-pages.ts';
import { type AdminPage, type Section, staffOf } from '#server/admin/page.ts';
import { ADMIN } from '#server/admin/paths.ts';
import { mayOpen, type Role } from '#server/admin/roles.ts';
import { ASSET_PAGES } from '#server/admin/views/assets.ts';
import type { Content, Html } from '#server/admin/views/html.ts';
import { showPage } from '#server/admin/views/layout.ts';
import { CATEGORY_PAGES } from '#server/catalogue/categories/category-pages.ts';
import { PRICE_PAGES } from '#server/catalogue/prices/price-pages.ts';
import { SALE_PAGES } from '#server/catalogue/prices/sale-pages.ts';
import { PRODUCT_LIST_PAGES } from '#server/catalogue/products/list-pages.ts';
import { PRODUCT_PAGES } from '#server/catalogue/products/product-pages.ts';
import { SORT_PAGES } from '#server/catalogue/products/sort-pages.ts';
import type { Reader } from '#server/db/database.ts';
import { adminFindings } from '#server/doctor/table.ts';
import { emailPages } from '#server/email/pages.ts';
import { orderBadge } from '#server/orders/admin/list-pages.ts';
import { countByStatus } from '#server/orders/admin/listed-orders.ts';
import { ORDER_PAGES } from '#server/orders/admin/pages.ts';
import { PAYMENT_METHOD_PAGES, renderProviderErrors } from '#server/payments/admin/payment-method-pages.ts';
import { REFUND_PAGES } from '#server/payments/admin/refund-pages.ts';
import { CUSTOMER_PAGES } from '#server/privacy/pages.ts';
import { PUBLISH_PAGES } from '#server/publishing/pages.ts';
import type { Services } from '#server/services/services.ts';
import { PASSWORD_PAGES } from '#server/staff/password-pages.ts';
import { SECOND_FACTOR_PAGES } from '#server/staff/second-factor-pages.ts';
import { SIGN_IN_PAGES } from '#server/staff/sign-in-pages.ts';
import { STAFF_PAGES } from '#server/staff/staff-pages.ts';
import { POLICY_PAGES } from '#server/store/policy-pages.ts';
import { RECORD_PAGES } from '#server/store/record-pages.ts';
import { EMAILS } from './emails.ts';
import { openTasks } from './tasks.ts';

async function orderCounts(db: Reader): Promise<Html> {
  const counts = await countByStatus(db);
  const items = Object.values(STATUSES).map(
    ({ code }) =>
      html`<li><a href="${ADMIN}/orders?status=${code}"><strong>${counts.get(code) ?? 0}</strong>${orderBadge(code)}</a></li>`,
  );
  return html`<h2>Orders</h2><ul class="counts">${items}</ul>`;
}

async function renderTasks(services: Services, role: Role): Promise<Content> {
  const tasks = await openTasks(services, (area) => mayOpen(area, role));
  if (tasks.length === 0) return '';
  const items = tasks.map(
    ({ text, path }) => html`<li><a class="touch" href="${ADMIN}${path}">${text}</a></li>`,
  );
  return html`<section class="notice" aria-labelledby="tasks"><h2 id="tasks">Tasks</h2><ul>${items}</ul></section>`;
}

/** The findings of `npm run doctor`, except checks that need access to the machine. */
async function renderFindings(services: Services): Promise<Content> {
  const findings = await adminFindings(services);
  if (findings.length === 0) return '';
  const items = findings.map(({ severity, problem, todo, page }) => {
    const title = page ? html`<a href="${ADMIN}${page}">${problem}</a>` : problem;
    return html`<li>${severity === 'blocks' ? html`<strong>${title}</strong>` : title}<br>${todo}</li>`;
  });
  const blocking = findings.filter(({ severity }) => severity === 'blocks').length;
  return html`<details class="notice"${blocking > 0 ? html` open` : ''}><summary>Before you open: ${blocking} to do, ${findings.length - blocking} to know</summary><ul>${items}</ul></details>`;
}

export const HOME_PAGES: readonly AdminPage[] = [
  {
    method: 'GET',
    path: '/',
    access: 'staff',
    async handle(context, services) {
      const { name, role } = staffOf(context);
      const counts: Content = mayOpen('orders', role) ? await orderCounts(services.db) : '';
      const errors: Content = mayOpen('payments', role) ? await renderProviderErrors(services) : '';
      const findings: Content = mayOpen('staffAccounts', role) ? await renderFindings(services) : '';
      const links = context
        .get('sections')
        .filter(({ access }) => mayOpen(access, role))
        .map((section) => html`<a class="button quiet" href="${ADMIN}${section.path}">${section.name}</a>`);
      return showPage(context, {
        title: `Hello ${name}`,
        content: html`${findings}${errors}${await renderTasks(services, role)}${counts}<div class="row">${links}</div>`,
      });
    },
  },
];

/** Every page of the admin. admin/README.md says how to add one. */
export const ADMIN_PAGES: readonly AdminPage[] = [
  ...ASSET_PAGES,
  ...SIGN_IN_PAGES,
  ...HOME_PAGES,
  ...RECORD_PAGES,
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
  ...PAYMENT_METHOD_PAGES,
  ...emailPages(EMAILS),
  ...CUSTOMER_PAGES,
  ...STAFF_PAGES,
  ...LOG_PAGES,
  ...PASSWORD_PAGES,
  ...SECOND_FACTOR_PAGES,
];

/** The navigation, in order. A section is shown to the roles that may open it, if ADMIN_PAGES has its path. */
export const SECTIONS: readonly Section[] = [
  { name: 'Orders', path: '/orders', access: 'orders' },
  { name: 'Catalogue', path: '/catalogue', access: 'catalogue' },
  { name: 'Store', path: '/store', access: 'store' },
  { name: 'Policies', path: '/policies', access: 'policies' },
  { name: 'Publish', path: '/publish', access: 'publish' },
  { name: 'Payment methods', path: '/payment-methods', access: 'payments' },
  { name: 'Emails', path: '/emails', access: 'emails' },
  { name: 'Customers', path: '/customers', access: 'customers' },
  { name: 'Staff', path: '/staff', access: 'staffAccounts' },
  { name: 'Log', path: '/log', access: 'log' },
];
