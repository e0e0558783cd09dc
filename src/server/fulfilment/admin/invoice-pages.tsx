import * as v from 'valibot';
import { differences } from '#server/admin/change-log.ts';
import { codeText } from '#server/admin/forms/field.ts';
import { defineForm } from '#server/admin/forms/parse.ts';
import { recordEditor } from '#server/admin/forms/record-editor.tsx';
import type { AdminPage } from '#server/admin/page.ts';
import { orderPath } from '#server/admin/paths.ts';
import { q } from '#server/db/query.ts';
import { DAY, dayErrors } from '#server/ledger/admin/booking.tsx';
import { lockOrder } from '#server/orders/stored-orders.ts';
import type { ListedOrder } from './listed-orders.ts';
import { idOf, requireOrder } from './order-page.tsx';

const textsOf = ({ invoiceNumber, invoicedOn }: Pick<ListedOrder, 'invoiceNumber' | 'invoicedOn'>) => ({
  number: invoiceNumber ?? '',
  day: invoicedOn ?? '',
});

/** Notes the GST invoice of an order, which the shop makes with another program. */
const editor = recordEditor({
  form: defineForm(v.object({ number: v.pipe(codeText(60), v.nonEmpty('must not be empty')), day: DAY }), {
    number: { label: 'Number of the invoice', control: 'text', autocomplete: 'off' },
    day: { label: 'Sent on', control: 'date' },
  }),
  lock: (transaction, context) => lockOrder(transaction, idOf(context)),
  find: (context, _services, db) => requireOrder(db, idOf(context)),
  textsOf,
  view: ({ id, shownNumber }) => ({
    title: `GST invoice of order ${shownNumber}`,
    action: `${orderPath(id)}/invoice`,
    intro: <p>The customer asked for one. Make and send it with your own program, and note it here.</p>,
    back: orderPath(id),
  }),
  async store(transaction, log, { number, day }, order, { clock }) {
    const errors = dayErrors(day, order.createdAt, clock());
    if (errors) return { errors };
    const set = { invoiceNumber: number, invoicedOn: day };
    await transaction.run(q.updateTable('orders').set(set).where('number', '=', order.number));
    await log({
      action: 'noted the GST invoice',
      target: ['order', order.id],
      ...differences(textsOf(order), textsOf(set)),
    });
    return { to: orderPath(order.id), message: `The invoice ${number} is noted.` };
  },
});

const path = '/orders/:id/invoice';

export const INVOICE_PAGES: readonly AdminPage[] = [
  { method: 'GET', path, access: 'orders.write', handle: editor.open },
  { method: 'POST', path, access: 'orders', handle: editor.save },
];
