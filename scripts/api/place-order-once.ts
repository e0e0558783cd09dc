import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { SHIPPING_FIELDS } from '#domain/shipping-address.ts';
import type { Transaction } from './db/database.ts';
import { orderProblem } from './http/refusal.ts';
import { placeOrder } from './place-order.ts';
import type { OrderRequest } from './schema/orders.ts';
import type { Shop } from './shop.ts';

/** A hash that is equal for requests that mean the same, whatever the order of their products. */
function hashOf({ products, shippingAddress, lines }: OrderRequest): string {
  const meaning = [
    Object.entries(products).sort(([a], [b]) => (a < b ? -1 : 1)),
    SHIPPING_FIELDS.map((field) => shippingAddress[field]),
    lines ?? null,
  ];
  return createHash('sha256').update(JSON.stringify(meaning)).digest('base64url');
}

const KeyRowSchema = v.object({ bodyHash: v.string(), answer: v.string() });

interface PlacedOnce {
  /** The same for every attempt, word for word. */
  readonly answer: string;
  /** Whether the order was placed now, and not by an earlier attempt. */
  readonly isNew: boolean;
}

/** Places the order, unless it was placed with this Idempotency-Key before (faults 21). @throws Refusal 422, 429 */
export async function placeOrderOnce(
  shop: Shop,
  transaction: Transaction,
  userId: string,
  key: string,
  request: OrderRequest,
): Promise<PlacedOnce> {
  const bodyHash = hashOf(request);
  const known = await transaction.get(
    KeyRowSchema,
    'SELECT body_hash AS "bodyHash", answer FROM order_keys WHERE user_id = ? AND key = ?',
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
  if (known) return { answer: known.answer, isNew: false };
  const answer = JSON.stringify(await placeOrder(shop, transaction, userId, request));
  await transaction.run(
    'INSERT INTO order_keys VALUES (?, ?, ?, ?, ?)',
    userId,
    key,
    bodyHash,
    answer,
    shop.clock(),
  );
  return { answer, isNew: true };
}
