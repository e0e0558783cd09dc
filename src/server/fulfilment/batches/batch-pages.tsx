import type { ReactNode } from 'react';
import { plural } from '#domain/text.ts';
import { change, redirectWithMessage } from '#server/admin/change.ts';
import { ButtonForm, PostForm } from '#server/admin/forms/Form.tsx';
import { type AdminContext, type AdminPage, staffOf } from '#server/admin/page.ts';
import { BATCHES, batchPath, ORDERS, orderPath } from '#server/admin/paths.ts';
import { showPage } from '#server/admin/views/Page.tsx';
import {
  Lines,
  LinkButton,
  Notice,
  Pages,
  Row,
  StatusBadge,
  Table,
  Time,
  TouchLink,
} from '#server/admin/views/pieces.tsx';
import type { Reader } from '#server/db/database.ts';
import { ofIds, readOrderNumber } from '#server/fulfilment/admin/listed-orders.ts';
import { idOf, requestedFilter } from '#server/fulfilment/admin/order-page.tsx';
import { isTransition, parcelText } from '#server/fulfilment/apply-transition.ts';
import { Refusal } from '#server/http/refusal.ts';
import type { Services } from '#server/services/services.ts';
import { BATCH_ACTIONS, BatchButtons } from './actions.tsx';
import { FileProblems, mayShipUnpaid, nameOf, renderConfirmation, TICKED } from './confirmation.tsx';
import { runBatches } from './run-batches.ts';
import {
  allowUnpaid,
  BATCH_STATES,
  type Batch,
  type BatchState,
  batchOrders,
  countByState,
  createBatch,
  endBatch,
  newestBatches,
  requireBatch,
  skipWaiting,
  startBatch,
} from './stored-batches.ts';
import { TRACKING_FILE_PAGES } from './tracking-pages.tsx';

/** How often the page of a batch that runs is loaded again, in seconds. */
const RELOAD = 2;

/** Fixes the orders that are ticked in the form, or all that match its filter. What changes them is asked on its page. */
const makeBatch =
  (action: string, page: string | undefined): AdminPage['handle'] =>
  (context, services) => {
    const form = context.get('form');
    const all = requestedFilter(context, (name) => form.get(name));
    const isAll = form.get('all') === 'yes';
    if (isAll && !all.isReadable)
      throw new Refusal(422, 'The filter cannot be read. Open the list of orders again.');
    const filter = isAll ? all.filter : ofIds(form.getAll('order').map(String));
    return change(context, services, async (transaction, log) => {
      const isRead = page !== undefined;
      const batch = { action, staff: staffOf(context), now: services.clock(), isRead };
      const { id, orders } = await createBatch(transaction, batch, filter);
      if (orders === 0)
        throw new Refusal(
          422,
          isAll ? 'No order matches any more.' : 'No order was ticked. Go back, and tick some.',
        );
      if (page === 'csv') await log({ action: 'downloaded', target: ['orders', 'CSV'], to: { orders } });
      return { to: page ? `${batchPath(id)}/${page}` : batchPath(id), message: '' };
    });
  };

const LABELS: Readonly<Record<BatchState, string>> = { waiting: 'To do', done: 'Done', skipped: 'Skipped' };

const ROWS_PER_PAGE = 50;

async function renderResults(context: AdminContext, { db }: Services, batch: Batch) {
  const { id, endedAt, createdAt, who } = batch;
  const counts = await countByState(db, id);
  const all = counts.waiting + counts.done + counts.skipped;
  const { show, after } = context.req.query();
  const first = counts.skipped > 0 ? 'skipped' : 'done';
  const state = BATCH_STATES.find((name) => name === show) ?? first;
  const rows = await batchOrders(db, id, state, ROWS_PER_PAGE + 1, readOrderNumber(after));
  const orders = rows.slice(0, ROWS_PER_PAGE);
  return (
    <>
      <p role="status">
        {endedAt === null ? 'In progress' : 'Finished'}: {counts.done} of {all} done
        {counts.skipped > 0 && `, ${counts.skipped} skipped`}
        {counts.waiting > 0 && `, ${counts.waiting} to do`}.
      </p>
      {endedAt === null && (
        <>
          <progress
            className="mb-4 h-3 w-full max-w-160"
            value={all - counts.waiting}
            max={all}
            aria-label="Progress"
          />
          <p>You can leave this page. The work goes on, and is listed under Bulk actions.</p>
          <ButtonForm action={`${batchPath(id)}/stop`}>Stop it</ButtonForm>
        </>
      )}
      <p>
        <Lines of={[`By ${who}`]} />, <Time at={createdAt} />
      </p>
      <FileProblems problems={batch.problems} />
      <Row>
        {BATCH_STATES.filter((name) => counts[name] > 0).map((name) => (
          <LinkButton
            key={name}
            href={`${batchPath(id)}?show=${name}`}
            aria-current={name === state ? 'page' : undefined}
          >
            {LABELS[name]} {counts[name]}
          </LinkButton>
        ))}
      </Row>
      <Table
        hasTitles
        caption={LABELS[state]}
        heads={['Order', 'Status now', 'Result']}
        rows={orders.map(({ id: order, shownNumber, status, reason, ...parcel }) => [
          <TouchLink href={orderPath(order)}>{shownNumber}</TouchLink>,
          <StatusBadge status={status} />,
          <Lines of={[reason ? `Skipped: ${reason}` : LABELS[state], parcelText(parcel)]} />,
        ])}
      />
      {rows.length > orders.length && (
        <Pages>
          <LinkButton href={`${batchPath(id)}?show=${state}&after=${orders.at(-1)?.orderNumber}`}>
            Next
          </LinkButton>
        </Pages>
      )}
    </>
  );
}

/** Whether the role of the staff member may do what a batch does. */
const mayTake = (context: AdminContext, { action }: Pick<Batch, 'action'>): boolean =>
  context.get('mayOpen')(`${BATCHES}/${action}`, 'POST');

/** @throws Refusal 403, 404 */
async function requireOwnBatch(context: AdminContext, db: Reader): Promise<Batch> {
  const batch = await requireBatch(db, idOf(context));
  if (!mayTake(context, batch)) throw new Refusal(403, 'Your role may not do this. Ask an owner.');
  return batch;
}

async function showBatch(context: AdminContext, services: Services): Promise<Response> {
  const batch = await requireOwnBatch(context, services.db);
  const { id, action, startedAt, endedAt } = batch;
  const asked =
    startedAt === null && isTransition(action)
      ? await renderConfirmation(context, services, batch, action)
      : undefined;
  if (asked) return showPage(context, asked);
  return showPage(context, {
    title: nameOf(batch),
    head: endedAt === null && <meta httpEquiv="refresh" content={String(RELOAD)} />,
    content: (
      <>
        {await renderResults(context, services, batch)}
        {endedAt !== null && (
          <PostForm action={`${BATCHES}/slips`} hidden={{ batch: id, all: 'yes' }}>
            <BatchButtons legend="With all these orders" />
          </PostForm>
        )}
        <p>
          <a href={BATCHES}>Bulk actions</a>
        </p>
      </>
    ),
  });
}

/** Starts it, and works on it for a second, so that the page of a few orders already has their results. */
function start(context: AdminContext, services: Services): Promise<Response> {
  const id = idOf(context);
  const done = { to: batchPath(id), message: '' };
  return change(context, services, async (transaction, log) => {
    const batch = await requireOwnBatch(context, transaction);
    if ((await startBatch(transaction, id, services.clock())) === 0) return done;
    const { waiting } = await countByState(transaction, id);
    const ticked = context.get('form').getAll(TICKED).map(Number).filter(Number.isSafeInteger);
    const unpaid = mayShipUnpaid(context) ? ticked : [];
    const allowed = unpaid.length > 0 ? await allowUnpaid(transaction, id, unpaid) : 0;
    await log({
      action: 'began with many orders',
      target: ['batch', id],
      to: { what: nameOf(batch), orders: waiting, ...(allowed > 0 ? { 'not paid': allowed } : {}) },
    });
    return {
      ...done,
      async show() {
        await runBatches(services, id);
        return redirectWithMessage(context, services, done);
      },
    };
  });
}

/** Stops a batch. Orders that it has changed stay as they are. */
function stop(context: AdminContext, services: Services): Promise<Response> {
  const id = idOf(context);
  return change(context, services, async (transaction, log) => {
    await requireOwnBatch(context, transaction);
    if ((await endBatch(transaction, id, services.clock())) === 0)
      return { to: batchPath(id), message: 'It was finished already.' };
    const orders = await skipWaiting(transaction, id, 'it was stopped');
    await log({ action: 'stopped', target: ['batch', id], to: { skipped: orders } });
    return { to: batchPath(id), message: `Stopped. Not changed: ${plural(orders, 'order')}.` };
  });
}

const MAX_LISTED = 50;

async function listBatches(context: AdminContext, services: Services): Promise<Response> {
  const batches = await newestBatches(services.db, MAX_LISTED);
  const own = batches.filter((batch) => mayTake(context, batch));
  const rows = own.map((batch): ReactNode[] => [
    <TouchLink href={batchPath(batch.id)}>{nameOf(batch)}</TouchLink>,
    plural(batch.orders ?? 0, 'order'),
    <Time at={batch.createdAt} />,
    batch.who,
    batch.endedAt === null ? 'In progress' : 'Finished',
  ]);
  return showPage(context, {
    title: 'Bulk actions',
    content: (
      <>
        <p>What was done with several orders at once, in the last 90 days.</p>
        {rows.length === 0 ? (
          <Notice>Nothing yet: tick orders in the list, or choose all that match.</Notice>
        ) : (
          <Table
            hasTitles
            caption="Newest first"
            heads={['What', 'Orders', 'When', 'Who', 'State']}
            rows={rows}
          />
        )}
        <a href={ORDERS}>All orders</a>
      </>
    ),
  });
}

const access = 'orders';

export const BATCH_PAGES: readonly AdminPage[] = [
  { method: 'GET', path: '/orders/batches', access, handle: listBatches },
  ...TRACKING_FILE_PAGES,
  ...[...BATCH_ACTIONS].map(
    ([name, action]): AdminPage => ({
      method: 'POST',
      path: `/orders/batches/${name}`,
      access: action.access,
      handle: makeBatch(name, action.page),
    }),
  ),
  { method: 'GET', path: '/orders/batches/:id', access, handle: showBatch },
  { method: 'POST', path: '/orders/batches/:id/start', access, handle: start },
  { method: 'POST', path: '/orders/batches/:id/stop', access, handle: stop },
];
