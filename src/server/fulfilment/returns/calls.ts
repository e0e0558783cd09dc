import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { MAX_QUANTITY } from '#domain/cart.ts';
import { isWithdrawable, MAX_REASON_LENGTH, returnable } from '#domain/order-returns.ts';
import { STATUSES } from '#domain/order-status.ts';
import {
  NOT_ARRIVED,
  RETURN_DAYS_OVER,
  RETURN_PENDING,
  TOO_LATE_TO_WITHDRAW,
  TOO_MUCH_TO_RETURN,
} from '#domain/refusals.ts';
import { recordChange } from '#server/admin/change-log.ts';
import { q } from '#server/db/query.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { CUSTOMER } from '#server/fulfilment/apply-transition.ts';
import { changeOwnOrder, readOrderDto } from '#server/fulfilment/shown-orders.ts';
import { Refusal } from '#server/http/refusal.ts';
import { plainLines } from '#server/http/sent-values.ts';
import { movementsOf, refundsOfReturn } from '#server/ledger/movements.ts';
import { OrderDtoSchema } from '#server/orders/schema.ts';
import { defineCall } from '#server/services/call.ts';
import { notifyStaff } from '#server/staff/notifications.ts';
import { RETURN_EMAILS, takeReturnStep } from './return-steps.ts';
import { returnsOf, returnUntil, toReturnDtos } from './stored-returns.ts';

const REASON = `Say in at most ${MAX_REASON_LENGTH} characters why you return it.`;

const ReturnRequestSchema = v.object({
  reason: v.pipe(
    plainLines(MAX_REASON_LENGTH, {
      missing: REASON,
      long: REASON,
      unprintable: 'The reason has characters that cannot be printed.',
    }),
    v.nonEmpty(REASON),
  ),
  lines: v.pipe(
    v.array(
      v.object({
        line: v.pipe(v.string(), v.maxLength(40), v.description('The `line` of an item of the order.')),
        quantity: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_QUANTITY)),
      }),
    ),
    v.minLength(1, 'Choose what to return.'),
    v.maxLength(500),
    v.check(
      (lines) => new Set(lines.map(({ line }) => line)).size === lines.length,
      'A line is there twice.',
    ),
  ),
});

/** An order has at most one return that waits for an answer. */
const requestReturnCall = defineCall('POST /orders/:id/returns', 'Orders', 'requestReturn', {
  access: 'bearer',
  spends: 'little',
  summary: 'Request a return of items of an order',
  description:
    'Within the `returnDays` that the store record had when the order was delivered. Returns the order with its `returns`. 409: it cannot be returned, or a return waits for its answer. 422: more than was bought.',
  request: { body: ReturnRequestSchema },
  status: 201,
  answer: OrderDtoSchema,
  failures: [404, 409, 422, 503],
  async handle(context, services, { body: { reason, lines } }) {
    const now = services.clock();
    const changed = await changeOwnOrder(context, services, async (transaction, order) => {
      const { id } = order;
      if (order.status !== STATUSES.delivered.code) throw new Refusal(409, NOT_ARRIVED);
      if (!returnUntil(order, now).returnUntil) throw new Refusal(409, RETURN_DAYS_OVER);
      const before = await returnsOf(transaction, [order.number]);
      if (before.some(({ state }) => state === 'asked')) throw new Refusal(409, RETURN_PENDING);
      const left = returnable((await readOrderDto(transaction, id)).items, toReturnDtos(before) ?? []);
      if (lines.some(({ line, quantity }) => quantity > (left.get(line) ?? 0)))
        throw new Refusal(422, TOO_MUCH_TO_RETURN);
      const returnId = randomUUID();
      await transaction.run(
        q.insertInto('returns').values({
          id: returnId,
          orderNumber: order.number,
          state: 'asked',
          reason,
          answer: '',
          lines: JSON.stringify(lines.map(({ line, quantity }) => ({ line, quantity }))),
          createdAt: now,
          changedAt: now,
        }),
      );
      await queueEmail(transaction, services, RETURN_EMAILS.requested, id);
      await notifyStaff(transaction, services, 'returns', id);
    });
    return context.json(changed, 201);
  },
});

/** Needs no idempotency key: withdrawing a withdrawn return returns the order unchanged. */
const withdrawReturnCall = defineCall(
  'POST /orders/:id/returns/:number/withdraw',
  'Orders',
  'withdrawReturn',
  {
    access: 'bearer',
    spends: 'little',
    summary: 'Withdraw a return',
    description:
      'By its `number` in the `returns` of the order. Possible until the goods have arrived or are refunded. Repeated, it returns the same order. 409: too late.',
    answer: OrderDtoSchema,
    failures: [404, 409, 503],
    async handle(context, services) {
      const changed = await changeOwnOrder(context, services, async (transaction, order) => {
        const own = (await returnsOf(transaction, [order.number]))[Number(context.req.param('number')) - 1];
        if (!own) throw new Refusal(404, 'There is no such return.');
        if (own.state === 'withdrawn') return;
        const refunds = refundsOfReturn(own.id, await movementsOf(transaction, order.number));
        const [sent] = toReturnDtos([own]) ?? [];
        if (!sent || !isWithdrawable(sent) || refunds.some(({ state }) => state !== 'failed'))
          throw new Refusal(409, TOO_LATE_TO_WITHDRAW);
        await takeReturnStep(transaction, services, own, order.id, { to: 'withdrawn' }, (entry) =>
          recordChange(transaction, CUSTOMER, services.clock(), { ...entry, action: 'withdrew a return' }),
        );
      });
      return context.json(changed);
    },
  },
);

export const RETURN_CALLS = [requestReturnCall, withdrawReturnCall];
