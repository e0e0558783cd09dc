import type { ReactNode } from 'react';
import { formatPaise } from '#domain/money.ts';
import { addressLines } from '#domain/order.ts';
import { plural } from '#domain/text.ts';
import type { AdminContext, AdminPage } from '#server/admin/page.ts';
import { ORDERS, orderPath } from '#server/admin/paths.ts';
import { Script, sheetPath } from '#server/admin/views/assets.tsx';
import { Button, Lines, LinkButton, Time } from '#server/admin/views/pieces.tsx';
import { RETURN_PAGES } from '#server/fulfilment/returns/return-pages.tsx';
import { htmlDocument } from '#server/http/html-document.ts';
import { extrasOf, type ShownExtra, shownExtras } from '#server/orders/order-extras.ts';
import { itemsOf, type OrderItemRow, optionsText } from '#server/orders/stored-orders.ts';
import { PAYMENT_PAGES } from '#server/payments/admin/payment-pages.tsx';
import type { Services } from '#server/services/services.ts';
import { CORRECTION_PAGES } from './correction-pages.tsx';
import { EXPORT_PAGES } from './export-pages.tsx';
import { LIST_PAGES } from './list-pages.tsx';
import { type ListedOrder, moneyOf, tickedOrders } from './listed-orders.ts';
import { Extras, idOf, ORDER_PAGE, requireOrder } from './order-page.tsx';
import { TRANSITION_PAGES } from './transition-pages.tsx';

const CELL = 'border border-[#000] px-2 py-1.5 text-left align-top';

/** Has no prices but the cash to collect: the recipient may not be the one who paid. */
function renderSlip(
  storeName: string,
  order: ListedOrder,
  items: readonly OrderItemRow[],
  extras: readonly ShownExtra[],
): ReactNode {
  const { id, shownNumber, address, createdAt, pieces, tracking } = order;
  const { money, label } = moneyOf(order);
  return (
    <article
      key={id}
      className="border-control border-b-2 border-dashed pt-4 pb-6 print:border-0 print:p-0 print:[&+&]:break-before-page"
    >
      <p className="m-0 text-caption">{storeName}</p>
      <h1 className="my-1 text-[2.25rem] tracking-normal">Order {shownNumber}</h1>
      <p className="m-0 text-caption">
        <Time at={createdAt} />
        {tracking && (
          <>
            <br />
            Tracking number: {tracking}
          </>
        )}
      </p>
      <p className="mt-3 mb-0 font-bold text-title">
        {money === 'to_collect' ? `Collect ${formatPaise(order.totalPaise)}` : label}
      </p>
      <address className="my-4 border-2 border-[#000] px-4 py-3 text-title not-italic">
        <Lines of={[...addressLines(address), address.phone]} />
        <Extras of={extras} />
      </address>
      <table className="w-full border-collapse">
        <caption className="pb-1 text-left font-semibold">{plural(pieces, 'piece')}</caption>
        <thead>
          <tr>
            {['Packed', 'Pieces', 'Item'].map((head) => (
              <th key={head} className={CELL} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr className="break-inside-avoid" key={item.position}>
              <td
                className={`${CELL} w-24 before:block before:size-5 before:border-2 before:border-[#000]`}
              />
              <td className={`${CELL} w-20 font-bold`}>{item.quantity}</td>
              <td className={CELL}>
                <Lines of={[item.title, optionsText(item)]} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </article>
  );
}

/** The slip of one order, or of those that are ticked: a page without navigation. Each begins on a new sheet. */
async function showSlips(context: AdminContext, services: Services) {
  const { db } = services;
  const isOne = context.req.param('id') !== undefined;
  const orders = isOne ? [await requireOrder(db, idOf(context))] : await tickedOrders(context, db);
  const numbers = orders.map(({ number }) => number);
  const [items, extras] = await Promise.all([itemsOf(db, numbers), extrasOf(db, numbers)]);
  const { storeName } = await services.catalogue();
  const sheet = await sheetPath();
  return context.html(
    htmlDocument(
      <html className="scheme-light print:text-[13px]" lang="en-IN">
        <head>
          <meta charSet="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <title>{`Packing ${isOne ? 'slip' : 'slips'} · Admin`}</title>
          <link rel="icon" href="data:," />
          <link rel="stylesheet" href={sheet} />
          <Script name="print" />
        </head>
        <body className="mx-auto max-w-[148mm] bg-white p-4 text-[#000] leading-[1.4] [--color-focus:#0c3426] print:max-w-none print:p-0">
          <nav
            className="flex min-h-12 items-center gap-4 *:text-fixed-ink *:hover:bg-transparent print:hidden"
            aria-label="Admin"
          >
            <LinkButton variant="quiet" href={isOne ? orderPath(idOf(context)) : ORDERS}>
              Back
            </LinkButton>
            <Button variant="quiet" id="print" hidden>
              Print
            </Button>
          </nav>
          <main>
            {orders.map((order) => {
              const { number } = order;
              const shown = shownExtras(extras.get(number), 'slip');
              return renderSlip(storeName, order, items.get(number) ?? [], shown);
            })}
          </main>
        </body>
      </html>,
    ),
  );
}

/** The first matching path wins, so the page of a single order comes last. */
export const ORDER_PAGES: readonly AdminPage[] = [
  ...LIST_PAGES,
  ...PAYMENT_PAGES,
  ...EXPORT_PAGES,
  { method: 'POST', path: '/orders/slips', access: 'orders.read', handle: showSlips },
  { method: 'GET', path: '/orders/:id/slip', access: 'orders', handle: showSlips },
  ...RETURN_PAGES,
  ...CORRECTION_PAGES,
  ...TRANSITION_PAGES,
  ORDER_PAGE,
];
