import { html } from 'hono/html';
import { STATUSES } from '#domain/order-status.ts';
import type { Reader } from '#scripts/api/db/database.ts';
import { type OfficePage, staffOf } from '#scripts/api/office/page.ts';
import { OFFICE } from '#scripts/api/office/paths.ts';
import { mayOpen, type Role } from '#scripts/api/office/roles.ts';
import type { Content, Html } from '#scripts/api/office/views/html.ts';
import { showPage } from '#scripts/api/office/views/layout.ts';
import { orderBadge } from '#scripts/api/orders/office/draw.ts';
import { countByStatus } from '#scripts/api/orders/office/listed-orders.ts';
import { drawTroubles } from '#scripts/api/payments/office/ways-pages.ts';
import type { Shop } from '#scripts/api/shop/shop.ts';
import { officeFindings } from '#scripts/doctor/office-findings.ts';
import { whatWaits } from './what-waits.ts';

async function orderCounts(db: Reader): Promise<Html> {
  const counts = await countByStatus(db);
  const items = Object.values(STATUSES).map(
    ({ wire }) =>
      html`<li><a href="${OFFICE}/orders?status=${wire}"><strong>${counts.get(wire) ?? 0}</strong>${orderBadge(wire)}</a></li>`,
  );
  return html`<h2>Orders</h2><ul class="counts">${items}</ul>`;
}

async function drawWaits(shop: Shop, role: Role): Promise<Content> {
  const waits = await whatWaits(shop, (area) => mayOpen(area, role));
  if (waits.length === 0) return '';
  const items = waits.map(
    ({ text, path }) => html`<li><a class="touch" href="${OFFICE}${path}">${text}</a></li>`,
  );
  return html`<section class="notice" aria-labelledby="waits"><h2 id="waits">What waits</h2><ul>${items}</ul></section>`;
}

/** What `npm run doctor` finds, without what only a person at the machine can see. */
async function beforeYouOpen(shop: Shop): Promise<Content> {
  const findings = await officeFindings(shop);
  if (findings.every(({ severity }) => severity === 'tells')) return '';
  const items = findings.map(({ severity, problem, todo, page }) => {
    const what = page ? html`<a href="${OFFICE}${page}">${problem}</a>` : problem;
    return html`<li>${severity === 'blocks' ? html`<strong>${what}</strong>` : what}<br>${todo}</li>`;
  });
  const blocking = findings.filter(({ severity }) => severity === 'blocks').length;
  return html`<details class="notice"${blocking > 0 ? html` open` : ''}><summary>Before you open: ${blocking} to do, ${findings.length - blocking} to know</summary><ul>${items}</ul></details>`;
}

export const HOME_PAGES: readonly OfficePage[] = [
  {
    method: 'GET',
    path: '/',
    access: 'staff',
    async handle(context, shop) {
      const { name, role } = staffOf(context);
      const counts: Content = mayOpen('orders', role) ? await orderCounts(shop.db) : '';
      const troubles: Content = mayOpen('money', role) ? await drawTroubles(shop) : '';
      const open: Content = mayOpen('people', role) ? await beforeYouOpen(shop) : '';
      const links = context
        .get('sections')
        .filter(({ access }) => mayOpen(access, role))
        .map((section) => html`<a class="button quiet" href="${OFFICE}${section.path}">${section.name}</a>`);
      return showPage(context, {
        title: `Hello ${name}`,
        content: html`${open}${troubles}${await drawWaits(shop, role)}${counts}<div class="row">${links}</div>`,
      });
    },
  },
];
