import * as v from 'valibot';
import { STATUSES } from '#domain/order-status.ts';
import { TOO_LATE_TO_CANCEL } from '#domain/refusals.ts';
import { orderNotFound, Refusal } from '#scripts/api/http/refusal.ts';
import { recordChange } from '#scripts/api/office/change-log.ts';
import { defineCall } from '#scripts/api/shop/call.ts';
import { moveOrder } from './move-order.ts';
import { OrderSchema } from './schema.ts';
import { findOrder, sentOrders } from './stored-orders.ts';

/** Who the office's log names for what customers do. */
const CUSTOMER = { id: null, who: 'Customer' };

/** It needs no idempotency key: an order that is cancelled already is answered as it is. */
export const cancelOrderCall = defineCall({
  method: 'POST',
  path: '/orders/:id/cancel',
  access: 'bearer',
  operationId: 'cancelOrder',
  tag: 'Orders',
  summary: 'Cancel an order of the user',
  description:
    'Until it is shipped. What was paid will be refunded; `refunds` in the answer says how much. Asked again, it answers the same order. 409 says that it is too late.',
  request: v.object({}),
  status: 200,
  answer: OrderSchema,
  failures: [404, 409, 503],
  async handle(context, shop) {
    const id = context.req.param('id') ?? '';
    const { id: userId } = context.get('user');
    const refunds = await shop.db.write(async (transaction) => {
      if ((await findOrder(transaction, id))?.userId !== userId) throw orderNotFound();
      const moved = await moveOrder(transaction, shop, { id, move: 'cancel' }, (entry) =>
        recordChange(transaction, CUSTOMER, shop.clock(), entry),
      );
      if (moved?.isDone) return moved.refunds;
      if (moved?.order.status === STATUSES.cancelled.wire) return 0;
      throw new Refusal(409, TOO_LATE_TO_CANCEL);
    });
    for (let count = 0; count < refunds; count += 1) shop.metrics?.paymentChanged('refund_due');
    const order = await findOrder(shop.db, id);
    const [sent] = order ? await sentOrders(shop.db, [order]) : [];
    return context.json(sent);
  },
});
