import { formatPaise } from '#domain/money.ts';
import { plural } from '#domain/text.ts';
import { BOX, PostForm } from '#server/admin/forms/Form.tsx';
import { STAFF_STATUSES } from '#server/admin/order-status.ts';
import type { AdminContext } from '#server/admin/page.ts';
import { batchPath, ORDERS, orderPath } from '#server/admin/paths.ts';
import { Button, LinkButton, Row, Table } from '#server/admin/views/pieces.tsx';
import { countByStatus, type ListedOrder, ordersAfter } from '#server/fulfilment/admin/listed-orders.ts';
import { emailIn } from '#server/fulfilment/admin/transition-pages.tsx';
import { isFrom, TRANSITIONS, type Transition } from '#server/fulfilment/apply-transition.ts';
import type { Services } from '#server/services/services.ts';
import { BATCH_ACTIONS, problemOf, UNPAID } from './actions.tsx';
import type { Batch } from './stored-batches.ts';

/** How many rows the page that asks shows, and of how many orders it looks at the money. */
const ROWS_ASKED = 15;
const LOOKED_AT = 500;

/** The field with the numbers of the orders that an owner ships though they are not paid. */
export const TICKED = 'unpaid';

export const nameOf = ({ action }: Pick<Batch, 'action'>): string =>
  BATCH_ACTIONS.get(action)?.button ?? action;

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
export async function renderQuestion(
  context: AdminContext,
  services: Services,
  batch: Batch,
  transition: Transition,
) {
  const { id } = batch;
  const [statuses, orders] = await Promise.all([
    countByStatus(services.db, { batch: id }),
    ordersAfter(services.db, { batch: id }, 0, LOOKED_AT),
  ]);
  const rows = await Promise.all(
    orders.map(async (order) => ({ order, problem: await problemOf(services.db, transition, order) })),
  );
  const possible = [...statuses].reduce(
    (sum, [status, count]) => sum + (isFrom(transition, status) ? count : 0),
    0,
  );
  const heldBack = rows.filter(({ order, problem }) => problem && isFrom(transition, order.status)).length;
  const unpaid = rows.flatMap(({ order, problem }) => (problem === UNPAID ? [order] : []));
  const mayTick = unpaid.length > 0 && mayShipUnpaid(context);
  const ready = possible - heldBack;
  const all = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  const { email, to, question } = TRANSITIONS[transition];
  const verb = transition === 'cancel' ? 'Cancel' : nameOf(batch);
  const paid = transition === 'cancel' ? orders.filter(({ heldPaise }) => heldPaise > 0).length : 0;
  const title = `${verb}: ${plural(ready, 'order')}?`;
  const outcome = (problem: string | undefined): string => {
    if (problem === undefined) return STAFF_STATUSES[to].label;
    if (problem !== UNPAID) return `Nothing: ${problem}`;
    return mayTick
      ? 'Nothing unless you tick it below: it is not paid'
      : 'Nothing: it is not paid. Ask an owner';
  };
  const emails = ready === 1 ? 'One email goes out' : `${ready} emails go out`;
  const content = (
    <>
      {paid > 0 && (
        <p>
          <strong>{plural(paid, 'order')} of them must then be refunded.</strong>
        </p>
      )}
      {all > ready && <p>{`${plural(all - ready, 'order')} of ${all} would be left out.`}</p>}
      {unpaid.length > 0 && !mayTick && (
        <p>
          <strong>{plural(unpaid.length, 'order')} of them owe money.</strong> Ask an owner before they leave.
        </p>
      )}
      <Table
        hasTitles
        caption={all > ROWS_ASKED ? `The first ${ROWS_ASKED} of ${all}` : 'The orders'}
        heads={['Order', 'To', 'Total', 'What happens']}
        rows={rows
          .slice(0, ROWS_ASKED)
          .map(({ order: { shownNumber, address, totalPaise }, problem }) => [
            shownNumber,
            `${address.fullName}, ${address.city}`,
            formatPaise(totalPaise),
            outcome(problem),
          ])}
      />
      {(ready > 0 || mayTick) &&
        email &&
        emailIn(services, mayTick ? 'An email to the customer of each goes out' : emails)}
      <Row>
        {(ready > 0 || mayTick) && (
          <PostForm action={`${batchPath(id)}/start`}>
            {mayTick && <UnpaidOrders orders={unpaid} />}
            <Button variant={question && 'danger'}>
              {mayTick ? `${verb}: ${ready}, and the ticked ones` : `${verb}: ${ready}`}
            </Button>
          </PostForm>
        )}
        <LinkButton variant="quiet" href={ORDERS}>
          Change nothing
        </LinkButton>
      </Row>
    </>
  );
  return { title, content };
}
