import type { Context } from 'hono';
import * as v from 'valibot';
import { bodyJson } from '#scripts/api/http/body.ts';
import { limited } from '#scripts/api/http/limited.ts';
import type { Limiter } from '#scripts/api/http/limiter.ts';
import { orderNotFound, orderProblem, Refusal } from '#scripts/api/http/refusal.ts';
import { findOrder, ordersOf, type StoredOrder, withItems } from '#scripts/api/orders.ts';
import { placeOrder } from '#scripts/api/place-order.ts';
import type { Env, Shop } from '#scripts/api/shop.ts';
import { type OrderRequest, readIdempotencyKey, readOrderRequest, requestHash } from './order-request.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

const KeyRowSchema = v.object({ bodyHash: v.string(), answer: v.string() });

/** The answer of the attempt with this key: the first one's, word for word (faults 21). @throws Refusal 422, 429 */
function placeOnce(shop: Shop, userId: string, key: string, request: OrderRequest): string {
  const { db, clock } = shop;
  const bodyHash = requestHash(request);
  const known = db.get(
    KeyRowSchema,
    'SELECT body_hash AS bodyHash, answer FROM order_keys WHERE user_id = ? AND key = ?',
    userId,
    key,
  );
  if (known && known.bodyHash !== bodyHash) {
    throw orderProblem(
      'idempotency_mismatch',
      'Idempotency-Key',
      'This attempt was already made with another order.',
    );
  }
  if (known) return known.answer;
  const answer = JSON.stringify(placeOrder(shop, userId, request));
  db.run('INSERT INTO order_keys VALUES (?, ?, ?, ?, ?)', userId, key, bodyHash, answer, clock());
  return answer;
}

/** POST /orders (spec 7; faults 21, 68, 69, 80) */
export async function createOrder(context: Context<Env>, shop: Shop): Promise<Response> {
  const { id: userId } = context.get('user');
  const key = readIdempotencyKey(context.req.header('idempotency-key'));
  const request = readOrderRequest(await bodyJson(context));
  const answer = await shop.db.write(() =>
    key === undefined
      ? JSON.stringify(placeOrder(shop, userId, request))
      : placeOnce(shop, userId, key, request),
  );
  return context.body(answer, 201, JSON_TYPE);
}

/** GET /orders (spec 7) */
export async function listOrders(context: Context<Env>, shop: Shop): Promise<Response> {
  const { id: userId } = context.get('user');
  const orders = await ordersOf(shop.db, userId, shop.settings.orders.listed);
  return context.body(`{"data":[${orders.join(',')}]}`, 200, JSON_TYPE);
}

const EmailRowSchema = v.object({ email: v.string() });
const PHONE = /^[+\d\s().-]+$/;
const lastTen = (phone: string): string => phone.replace(/\D/g, '').slice(-10);

/** Whether it is the customer's email, or the order's phone in any of its +91, 0 and spaced forms (faults 72). */
function isContactOf(shop: Shop, order: StoredOrder, contact: string): boolean {
  const user = shop.db.get(EmailRowSchema, 'SELECT email FROM users WHERE id = ?', order.userId);
  if (contact.trim().toLowerCase() === user?.email) return true;
  const phone = PHONE.test(contact) ? lastTen(contact) : '';
  return phone.length === 10 && phone === lastTen(order.address.phone);
}

const ORDER_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * GET /orders/{id}?contactInfo= (spec 7): the same 404 for an unknown number and a wrong contact, and the same
 * limits on guessing either (faults 70, 71, 72).
 */
export function trackOrder(context: Context<Env>, shop: Shop): Promise<Response> {
  const id = context.req.param('id') ?? '';
  const { orderMisses, track } = shop.limiters;
  const limits: (readonly [Limiter, string])[] = [[orderMisses, shop.clientAddress(context)]];
  // Only what can be a number is remembered: a stranger may send 16 KB of anything else.
  if (ORDER_ID.test(id)) limits.push([track, id]);
  const attempt = (): Response => {
    const order = findOrder(shop.db, id);
    if (!order || !isContactOf(shop, order, context.req.query('contactInfo') ?? '')) throw orderNotFound();
    return context.json(withItems(shop.db, order));
  };
  return limited(limits, attempt, (outcome) => 'error' in outcome && outcome.error instanceof Refusal);
}
