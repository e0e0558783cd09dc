import { html } from 'hono/html';
import * as v from 'valibot';
import { STATUS } from '#domain/order.ts';
import type { Reader } from '#scripts/api/db/database.ts';
import { mayOpen, OFFICE, type OfficePage, staffOf } from './page.ts';
import type { Content, Html } from './views/html.ts';
import { showPage } from './views/layout.ts';
import { orderBadge } from './views/pieces.ts';

const CountRowSchema = v.object({ status: v.number(), count: v.number() });

async function orderCounts(db: Reader): Promise<Html> {
  const rows = await db.all(
    CountRowSchema,
    'SELECT status, COUNT(*) AS count FROM orders GROUP BY status ORDER BY status',
  );
  const items = Object.values(STATUS).map((status) => {
    const count = rows.find((row) => row.status === status)?.count ?? 0;
    return html`<li><strong>${count}</strong>${orderBadge(status)}</li>`;
  });
  return html`<h2>Orders</h2><ul class="counts">${items}</ul>`;
}

export const HOME_PAGES: readonly OfficePage[] = [
  {
    method: 'GET',
    path: '/',
    access: 'staff',
    async handle(context, shop) {
      const { name, role } = staffOf(context);
      const counts: Content = mayOpen(['packer'], role) ? await orderCounts(shop.db) : '';
      const links = context
        .get('sections')
        .filter(({ access }) => mayOpen(access, role))
        .map((section) => html`<a class="button quiet" href="${OFFICE}${section.path}">${section.name}</a>`);
      return showPage(context, {
        title: `Hello ${name}`,
        content: html`${counts}<div class="row">${links}</div>`,
      });
    },
  },
];
