import type { ReactNode } from 'react';
import { formatPaise } from '#domain/money.ts';
import { plural } from '#domain/text.ts';
import { BOX, PostForm } from '#server/admin/forms/Form.tsx';
import { STAFF_STATUSES } from '#server/admin/order-status.ts';
import type { AdminContext } from '#server/admin/page.ts';
import { batchPath, ORDERS, orderPath } from '#server/admin/paths.ts';
import { Button, Lines, LinkButton, Row, Table } from '#server/admin/views/pieces.tsx';
import {
  countByStatus,
  inBatch,
  type ListedOrder,
  ordersAfter,
} from '#server/fulfilment/admin/listed-orders.ts';
import { servesCustomers } from '#server/fulfilment/admin/order-page.tsx';
import { emailIn } from '#server/fulfilment/admin/transition-pages.tsx';
import { isFrom, TRANSITIONS, type Transition, trackingTexts } from '#server/fulfilment/apply-transition.ts';
import type { Services } from '#server/services/services.ts';
import { BATCH_ACTIONS } from './actions.tsx';
import { stepOf, UNPAID } from './run-batches.ts';
import { type Batch, batchOrders } from './stored-batches.ts';

/** How many rows the page that asks shows, and of how many orders it looks at the money. */
const ROWS_ASKED = 15;
const LOOKED_AT = 1_000;

/** The field with the numbers of the orders that an owner ships though they are not paid. */
export const TICKED = 'unpaid';

export const nameOf = ({ action }: Pick<Batch, 'action'>): string =>
  BATCH_ACTIONS.get(action)?.button ?? action;

/** The lines of a carrier's file that name no order, or not surely one. */
export const FileProblems = ({ problems }: Pick<Batch, 'problems'>) => (
  <Table
    caption="Lines of the file that are not used"
    heads={['Line', 'Why']}
    rows={problems.map(({ line, reason }) => [String(line), reason])}
  />
);

const NO_PARCEL = { tracking: '', carrier: '', unpaid: 0 };

/** Only who may book money decides that goods leave without it. */
export const mayShipUnpaid = (context: AdminContext): boolean =>
  context.get('mayOpen')(`${orderPath('id')}/payment`, 'POST');

/** The orders that leave without money only if an owner ticks them. */
const UnpaidOrders = ({ orders }: { readonly orders: readonly ListedOrder[] }) => (
  <fieldset className="mb-7">
    <legend>Not paid. Tick what you ship all the same:</legend>
    {orders.map(({ number, shownNumber, toPayPaise, address }) => (
      <div key={number} className="flex min-h-11 items-center gap-3 *:font-normal">
        <input className={BOX} type="checkbox" name={TICKED} value={number} id={`unpaid-${number}`} />
        <label htmlFor={`unpaid-${number}`}>
          {shownNumber}: {formatPaise(toPayPaise)} to pay, {address.fullName}
        </label>
      </div>
    ))}
  </fieldset>
);

/** What a batch would do, before it begins. */
export async function renderConfirmation(
  context: AdminContext,
  services: Services,
  batch: Batch,
  transition: Transition,
) {
  const { id } = batch;
  const [statuses, orders, numbered] = await Promise.all([
    countByStatus(services.db, inBatch(id)),
    ordersAfter(services.db, inBatch(id), 0, LOOKED_AT),
    batchOrders(services.db, id, 'waiting', LOOKED_AT),
  ]);
  const parcels = new Map(numbered.map((row) => [row.orderNumber, row]));
  const rows = await Promise.all(
    orders.map(async (order) => {
      const parcel = parcels.get(order.number) ?? NO_PARCEL;
      return { order, parcel, ...(await stepOf(services.db, transition, order, parcel)) };
    }),
  );
  const hasNumbers = rows.some(({ parcel }) => parcel.tracking !== '');
  const possible =
    rows.filter(({ isLate }) => isLate).length +
    [...statuses].reduce((sum, [status, count]) => sum + (isFrom(transition, status) ? count : 0), 0);
  const heldBack = rows.filter(({ isPossible, problem }) => isPossible && problem).length;
  const unpaid = rows.flatMap(({ order, problem }) => (problem === UNPAID ? [order] : []));
  const mayTick = unpaid.length > 0 && mayShipUnpaid(context);
  const ready = possible - heldBack;
  const all = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  const { email, to, confirmation } = TRANSITIONS[transition];
  const verb = transition === 'cancel' ? 'Cancel' : nameOf(batch);
  const paid = transition === 'cancel' ? orders.filter(({ heldPaise }) => heldPaise > 0).length : 0;
  const title = `${verb}: ${plural(ready, 'order')}?`;
  // Each line of a file is to be compared.
  const max = hasNumbers ? LOOKED_AT : ROWS_ASKED;
  const sorted = rows.toSorted((one, other) => Number(!one.problem) - Number(!other.problem));
  const outcome = ({ isLate, problem }: (typeof rows)[number]): string => {
    if (problem === undefined) return isLate ? 'Gets the number' : STAFF_STATUSES[to].label;
    if (problem !== UNPAID) return `Nothing: ${problem}`;
    return mayTick
      ? 'Nothing unless you tick it above: it is not paid'
      : 'Nothing: it is not paid. Ask an owner';
  };
  const seesAll = servesCustomers(context);
  const detailOf = ({ order: { totalPaise, pieces }, parcel }: (typeof rows)[number]): ReactNode => {
    if (hasNumbers) return <Lines of={Object.values(trackingTexts(parcel))} />;
    return seesAll ? formatPaise(totalPaise) : String(pieces);
  };
  const emails = ready === 1 ? 'One email goes out' : `${ready} emails go out`;
  const content = (
    <>
      {paid > 0 && (
        <p>
          <strong>To refund then: {plural(paid, 'order')}.</strong>
        </p>
      )}
      {all > ready && <p>{`${plural(all - ready, 'order')} of ${all} would be skipped.`}</p>}
      {unpaid.length > 0 && !mayTick && (
        <p>
          <strong>Not paid: {plural(unpaid.length, 'order')}.</strong> Ask an owner before they leave.
        </p>
      )}
      <FileProblems problems={batch.problems} />
      {(ready > 0 || mayTick) &&
        email &&
        emailIn(services, mayTick ? 'An email to the customer of each goes out' : emails)}
      <Row>
        {(ready > 0 || mayTick) && (
          <PostForm action={`${batchPath(id)}/start`}>
            {mayTick && <UnpaidOrders orders={unpaid} />}
            <Button variant={confirmation && 'danger'}>
              {mayTick ? `${verb}: ${ready}, and the ticked ones` : `${verb}: ${ready}`}
            </Button>
          </PostForm>
        )}
        <LinkButton href={ORDERS}>Change nothing</LinkButton>
      </Row>
      <Table
        hasTitles
        caption={all > max ? `The first ${max} of ${all}` : 'The orders'}
        heads={['Order', 'To', hasNumbers ? 'Number' : seesAll ? 'Total' : 'Pieces', 'What happens']}
        rows={sorted.slice(0, max).map((row) => {
          const { shownNumber, address } = row.order;
          return [shownNumber, `${address.fullName}, ${address.city}`, detailOf(row), outcome(row)];
        })}
      />
    </>
  );
  return { title, content };
}
