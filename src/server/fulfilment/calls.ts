import * as v from 'valibot';
import { canonicalEmail } from '#domain/email.ts';
import { languageOf } from '#domain/language.ts';
import { TOO_MANY_LINES } from '#domain/order.ts';
import { orderIdIn, parseOrderNumber } from '#domain/order-number.ts';
import { STATUSES } from '#domain/order-status.ts';
import { isSamePhone, phoneNumber } from '#domain/phone.ts';
import { TOO_LATE_TO_CANCEL } from '#domain/refusals.ts';
import { recordChange } from '#server/admin/change-log.ts';
import { sessionCustomer } from '#server/customers/sessions.ts';
import { blocksOf, REFUSALS } from '#server/customers/stored-blocks.ts';
import { findCustomer, lockCustomer } from '#server/customers/stored-customers.ts';
import type { Transaction } from '#server/db/database.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { orderNotFound, orderProblem, Refusal, unauthorized } from '#server/http/refusal.ts';
import { createOrder, repeatedAnswer } from '#server/orders/create-order.ts';
import {
  OrderDtoSchema,
  OrderListSchema,
  type OrderRequest,
  OrderRequestSchema,
} from '#server/orders/schema.ts';
import { findOrder, ordersByNumber, type StoredOrder } from '#server/orders/stored-orders.ts';
import { CASH_NAME } from '#server/payments/providers/cash/cash.ts';
import { pollSoonForCustomer } from '#server/payments/reconcile.ts';
import { API_BASE, defineCall } from '#server/services/call.ts';
import type { Customer, Services } from '#server/services/services.ts';
import { applyTransition, CUSTOMER } from './apply-transition.ts';
import { ORDER_EMAILS } from './emails.ts';
import { changeOwnOrder, ordersAsJson, readOrderDto } from './shown-orders.ts';

/** Needs no idempotency key: cancelling a cancelled order returns it unchanged. */
const cancelOrderCall = defineCall('POST /orders/:id/cancel', 'Orders', 'cancelOrder', {
  access: 'bearer',
  spends: 'little',
  summary: 'Cancel an order of the customer',
  description:
    'Possible until it is shipped. What was paid is refunded: `refunds` in the answer has the amounts. Repeated, it returns the same order. 409: too late.',
  answer: OrderDtoSchema,
  failures: [404, 409, 503],
  async handle(context, services) {
    let isToRefund = false;
    const order = await changeOwnOrder(context, services, async (transaction, { id, status, parcels }) => {
      if (status === STATUSES.processing.code && parcels.length > 0)
        throw new Refusal(409, TOO_LATE_TO_CANCEL);
      const given = { id, transition: 'cancel', by: 'customer' } as const;
      const result = await applyTransition(transaction, services, given, (entry) =>
        recordChange(transaction, CUSTOMER, services.clock(), entry),
      );
      if (result.problem && result.status !== STATUSES.cancelled.code)
        throw new Refusal(409, TOO_LATE_TO_CANCEL);
      ({ isToRefund } = result);
    });
    if (isToRefund) services.metrics?.paymentChanged('refund_due');
    return context.json(order);
  },
});

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** The storefront generates the lines. A shopper cannot correct them, so the text gives no details. */
const LINES_INVALID = 'The lines of the order cannot be read.';

/**
 * Maps a schema's issue to a code and a target, so that the storefront can mark the wrong field.
 * A path is 'headers' or 'body', then a field, then a key inside that field, such as a product id.
 */
function refuseOrder({ path, type, message }: v.BaseIssue<unknown>): Refusal {
  const [part, field, inner] = path?.map(({ key }) => String(key)) ?? [];
  if (part === 'headers') return new Refusal(422, message);
  if (field === 'shippingAddress') return orderProblem('address_invalid', inner ?? field, message);
  if (field === 'expectedTotal')
    return orderProblem('total_invalid', field, 'The total of the order cannot be read.');
  if (field === 'lines' && type === 'partial_check') return orderProblem('lines_mismatch', field, message);
  if (type === 'max_length' && message === TOO_MANY_LINES)
    return orderProblem('too_many_lines', 'lines', message);
  if (field === 'lines') return orderProblem('lines_invalid', field, LINES_INVALID);
  if (inner !== undefined) return orderProblem('quantity_invalid', inner.slice(0, 100), message);
  if (type === 'max_entries') return orderProblem('too_many_products', 'products', message);
  return orderProblem('products_missing', 'products', 'The order has no products.');
}

/** A shop that takes nothing but cash takes no orders of those from whom it takes no cash. @throws Refusal 422 */
async function refuseBlocked(
  { clock, settings }: Services,
  transaction: Transaction,
  { id: customerId, email }: Customer,
  { shippingAddress: address, language }: OrderRequest,
): Promise<void> {
  const [block] = await blocksOf(transaction, { customerId, email, address }, clock());
  const isCashOnly = settings.paymentProviders.every((name) => name === CASH_NAME);
  if (block?.scope === 'orders' || (block && isCashOnly))
    throw orderProblem('order_refused', 'order', REFUSALS.orders[languageOf(language)]);
}

/** Creates at most one order per idempotency key. */
const createOrderCall = defineCall('POST /orders', 'Orders', 'createOrder', {
  access: 'bearer',
  spends: { handled: 'order' },
  summary: 'Place an order',
  description:
    "Its prices are the server's own. 422 names the problem by code and target; `total_changed` also has the `total`.",
  request: {
    headers: v.object({
      'Idempotency-Key': v.optional(
        v.pipe(
          v.string(),
          v.regex(/^[\x21-\x7e]{1,255}$/, 'The Idempotency-Key must be 1 to 255 printable characters.'),
          v.description('One per order: a repeated request returns the same order; with another body, 422.'),
        ),
      ),
    }),
    body: OrderRequestSchema,
  },
  status: 201,
  answer: OrderDtoSchema,
  failures: [422, 429, 503],
  refuse: refuseOrder,
  async handle(context, services, { headers: { 'Idempotency-Key': key }, body }) {
    const { id: customerId } = context.get('customer');
    // A repeated request costs nothing.
    const known = await repeatedAnswer(services.db, customerId, key, body);
    if (known !== undefined) return context.body(known, 201, JSON_TYPE);
    const create = () =>
      services.db.write(async (transaction) => {
        if (!(await lockCustomer(transaction, customerId))) throw unauthorized();
        const created = await createOrder(services, transaction, customerId, key, body);
        if (created.newId) await refuseBlocked(services, transaction, context.get('customer'), body);
        if (created.newId) await queueEmail(transaction, services, ORDER_EMAILS.placed, created.newId);
        return created;
      });
    const { answer, newId } = await services.limits.spend(
      ['order'],
      services.payersOf(context),
      create,
      (outcome) => outcome.status === 'fulfilled' && outcome.value.newId !== undefined,
    );
    if (newId) services.metrics?.orderPlaced();
    return context.body(answer, 201, JSON_TYPE);
  },
});

const listOrdersCall = defineCall('GET /orders', 'Orders', 'listOrders', {
  access: 'bearer',
  spends: { each: 'orders' },
  summary: "List the customer's own orders",
  description:
    'Newest first, at most 50 in an answer, and fewer where they have very many lines. Where older ones follow, the header Link has their address, with rel="next" (RFC 8288).',
  request: {
    query: v.object({
      after: v.optional(
        v.pipe(v.string(), v.uuid(), v.description('The order after which the page begins.')),
      ),
    }),
  },
  answer: OrderListSchema,
  async handle(context, services, { query: { after } }) {
    const payers = services.payersOf(context);
    if (after === undefined) await pollSoonForCustomer(services, payers);
    const { orders, last } = await services.limits
      .lane('read')
      .run(payers, () => ordersAsJson(services, payers.account, after));
    if (last !== undefined) context.header('Link', `<${API_BASE}/orders?after=${last}>; rel="next"`);
    return context.body(`{"data":[${orders.join(',')}]}`, 200, JSON_TYPE);
  },
});

async function isContactOf({ db }: Services, order: StoredOrder, contact: string): Promise<boolean> {
  const { customerId, contactEmail, address } = order;
  const email = customerId === null ? contactEmail : (await findCustomer(db, customerId))?.email;
  return canonicalEmail(contact) === email || isSamePhone(contact, address.phone);
}

/**
 * Finds an order by its id or number as people write it. `key` is the same for every way to write it. Without its suffix,
 * a number finds only an order of the signed-in customer.
 */
async function findNamed({ db }: Services, text: string, customerId: string | undefined) {
  const id = orderIdIn(text);
  if (id) return { key: id, order: await findOrder(db, id) };
  const number = parseOrderNumber(text);
  if (!number) return {};
  const { count, suffix } = number;
  const [order] = await ordersByNumber(db, [count]);
  const isFound = suffix
    ? order?.shownNumber.endsWith(`-${suffix}`)
    : customerId !== undefined && order?.customerId === customerId;
  return { key: `${count} ${suffix}`, order: isFound ? order : undefined };
}

const isRefusal = (outcome: PromiseSettledResult<unknown>): boolean =>
  'reason' in outcome && outcome.reason instanceof Refusal;

/**
 * An unknown number and a wrong contact get the same 404. Guessing either is limited, except for the customer of the order
 * in a session.
 */
const trackOrderCall = defineCall('GET /orders/:id', 'Orders', 'trackOrder', {
  access: 'public',
  spends: { handled: 'tracking' },
  summary: 'Track an order',
  description:
    'By its id or number (capitals, blanks, dashes and prefix do not matter) and the email or phone it was placed with. A token is needed only for a number without its last four signs. `extras` are left out.',
  request: {
    query: v.object({
      contactInfo: v.optional(
        v.pipe(v.string(), v.description("The customer's email, or the phone of the shipping address.")),
      ),
    }),
  },
  answer: OrderDtoSchema,
  failures: [404, 429],
  async handle(context, services, { query: { contactInfo = '' } }) {
    const customer = await sessionCustomer(services, context);
    const { key = '', order } = await findNamed(services, context.req.param('id') ?? '', customer?.id);
    const caller = services.callerOf(context);
    const ofContact = { ...caller, target: phoneNumber(contactInfo) ?? canonicalEmail(contactInfo) };
    // An id cannot be guessed. A malformed number is never found.
    const isNumber = key !== '' && orderIdIn(key) === undefined;
    const lookUp = async (): Promise<Response> => {
      if (order && (await isContactOf(services, order, contactInfo))) {
        const read = () => readOrderDto(services.db, order.id);
        return context.json({
          ...(await services.limits.spend(['tracked'], { ...caller, target: order.id }, read)),
          extras: undefined,
        });
      }
      throw orderNotFound();
    };
    if (order && customer && order.customerId === customer.id) return lookUp();
    const guess = () =>
      isNumber ? services.limits.spend(['contact'], ofContact, lookUp, isRefusal) : lookUp();
    // A number without an order is limited like one with an order.
    return services.limits.spend(['tracking'], { ...caller, target: order?.id ?? key }, guess, isRefusal);
  },
});

export const ORDER_CALLS = [listOrdersCall, createOrderCall, trackOrderCall, cancelOrderCall];
