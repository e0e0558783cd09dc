import type { ReactNode } from 'react';
import { formatPaise } from '#domain/money.ts';
import { addressKey, phoneKeys } from '#domain/same-customer.ts';
import { STAFF_STATUSES, staffStatusOf } from '#server/admin/order-status.ts';
import { BLOCKS, CUSTOMERS, customerPath, orderPath } from '#server/admin/paths.ts';
import { Allowed } from '#server/admin/rights.tsx';
import { LinkButton, Notice, Row, Table, Time, TouchLink } from '#server/admin/views/pieces.tsx';
import { type Block, blocksOf } from '#server/customers/stored-blocks.ts';
import type { Reader } from '#server/db/database.ts';
import { ORDER, ORDER_JSON, RTO_REASONS, type StoredOrder } from '#server/orders/stored-orders.ts';
import type { Services } from '#server/services/services.ts';
import type { ListedOrder } from './listed-orders.ts';

/* What the shop knows of the customer of an order. */

/** The page stays small, and tells enough. */
const MAX_OTHERS = 25;

type Known = Pick<StoredOrder, 'customerId' | 'address'> & Partial<Pick<StoredOrder, 'id'>>;

/** The newest other orders of this account, phone or address, with what is the same. Each is found by an index. */
async function otherOrders(db: Reader, { id = '', customerId, address }: Known) {
  const traits = [
    ['account', 'customerId', customerId],
    ['phone', 'phone', phoneKeys(address.phone)[0]],
    ['address', 'addressKey', addressKey(address)],
  ] as const;
  const found = await Promise.all(
    traits.map(async ([name, column, value]) => {
      if (!value) return [];
      const same = ORDER.where(column, '=', value).where('id', '!=', id);
      const orders = await db.rows(same.orderBy('number', 'desc').limit(MAX_OTHERS), ORDER_JSON);
      return orders.map((order) => ({ order, name }));
    }),
  );
  return [...Map.groupBy(found.flat(), ({ order }) => order.number)]
    .toSorted(([one], [other]) => other - one)
    .slice(0, MAX_OTHERS)
    .flatMap(([, rows]) =>
      rows.slice(0, 1).map(({ order }) => ({ order, same: rows.map(({ name }) => name) })),
    );
}

/** Such as 'Delivered', 'Refused at the door' or 'Came back: the address was not found'. */
function outcomeOf({ status, events }: Pick<StoredOrder, 'status' | 'events'>): string {
  const why = events.at(-1)?.why;
  const { label } = staffStatusOf(status);
  if (status !== STAFF_STATUSES.returnedToOrigin.code || !why) return label;
  return why === 'refused' ? 'Refused at the door' : `${label}: ${RTO_REASONS[why].en}`;
}

export const SCOPES: Readonly<Record<Block['scope'], string>> = {
  orders: 'Blocked for all orders',
  cash: 'Blocked for cash on delivery',
};

/** One sentence for each block, with its reason. */
export const BlockNotice = ({ blocks }: { readonly blocks: readonly Block[] }): ReactNode =>
  blocks.length > 0 && (
    <Notice id="blocks" title={SCOPES[blocks[0]?.scope ?? 'cash']}>
      {blocks.map(({ id, kind, scope, reason, who, endsAt }) => (
        <p key={id}>
          {SCOPES[scope]} by this {kind}, until <Time at={endsAt} />: {reason || 'the account was deleted'} (
          {who})
        </p>
      ))}
      <p>
        <TouchLink href={BLOCKS}>All blocks</TouchLink>
      </p>
    </Notice>
  );

/** Above the order: whether its customer is blocked. */
export const renderBlocks = async (
  { db, clock }: Services,
  { customerId, email, address }: ListedOrder,
): Promise<ReactNode> => (
  <Allowed to={CUSTOMERS}>
    <BlockNotice blocks={await blocksOf(db, { customerId, email, address }, clock())} />
  </Allowed>
);

/** What became of the customer's other orders. @param order without an id: one that is not placed yet */
export async function renderOthers(
  { db }: Services,
  order: Known,
  buttons: ReactNode = null,
): Promise<ReactNode> {
  const others = await otherOrders(db, order);
  const outcomes = Map.groupBy(others, ({ order: other }) => outcomeOf(other));
  const sums = [...outcomes].map(([outcome, all]) => `${all.length} × ${outcome}`);
  return (
    <Allowed to={CUSTOMERS}>
      <h2>Other orders of this account, phone or address</h2>
      <Table
        empty="None."
        caption={`The newest ${others.length}: ${sums.join(', ')}`}
        heads={['Order', 'When', 'What became of it', 'Total', 'Same']}
        rows={others.map(({ order: other, same }) => [
          <TouchLink href={orderPath(other.id)}>{other.shownNumber}</TouchLink>,
          <Time at={other.createdAt} />,
          outcomeOf(other),
          formatPaise(other.totalPaise),
          same.join(', '),
        ])}
      />
      {buttons}
    </Allowed>
  );
}

/** The same for an order that was placed, with what can be done. */
export const renderKnown = (services: Services, order: ListedOrder): Promise<ReactNode> =>
  renderOthers(
    services,
    order,
    <Row>
      {order.customerId !== null && order.email !== null && (
        <LinkButton href={customerPath(order.customerId)}>The customer</LinkButton>
      )}
      <LinkButton href={`${BLOCKS}?order=${order.id}`}>Block …</LinkButton>
    </Row>,
  );
