import { type Failure, isOutcomeUnknown, isSignedOut, type Result } from '#api/failure.ts';
import type { OrderRequest } from '#api/orders.ts';
import { productQuantities } from '#domain/cart.ts';
import { orderFingerprint } from '#domain/checkout.ts';
import { isSameOrder } from '#domain/shipping-address.ts';
import { type Attempt, noteRefused, noteUnanswered } from './checkout-attempt.ts';
import { pause } from './pause.ts';

export type Outcome =
  | { readonly kind: 'placed'; readonly orderId: string }
  | { readonly kind: 'signed-out' }
  /** The server said no; there is no order. */
  | { readonly kind: 'refused'; readonly failure: Failure }
  /** There may be an order, and nobody could say (faults 20). */
  | { readonly kind: 'unknown' };

type Order = Pick<OrderRequest, 'cart' | 'address'>;

const RESENDS = 2;
const PAUSE_MS = 800;
const PAUSE_LIMIT_MS = 10_000;
const IN_PROGRESS = 409;
const BUSY = 429;
/** Answers of something between the shop and its server: they do not say what the server did. */
const SAYS_NOTHING: readonly number[] = [408, IN_PROGRESS, 502, 504];

const orders = () => import('#api/orders.ts');

const mayHaveArrived = (failure: Failure): boolean =>
  isOutcomeUnknown(failure) || (failure.kind === 'refused' && failure.status === IN_PROGRESS);

function outcomeOf(failure: Failure): Outcome {
  if (isSignedOut(failure)) return { kind: 'signed-out' };
  if (failure.kind !== 'refused' || SAYS_NOTHING.includes(failure.status)) return { kind: 'unknown' };
  return { kind: 'refused', failure };
}

/** The server had no time to say what it knows. */
const isBusy = (failure: Failure): boolean =>
  failure.kind === 'refused' && (failure.status === BUSY || failure.status >= 500);

/** As long as the server asks for, else longer each time and a little by chance. */
function pauseAfter(failure: Failure, resend: number): number {
  const asked = failure.kind === 'refused' ? (failure.retryAfterSeconds ?? 0) * 1_000 : 0;
  const own = PAUSE_MS * 2 ** resend * (0.75 + Math.random() / 2);
  return Math.min(asked || own, PAUSE_LIMIT_MS);
}

/** With keys the same order may be sent again: the server makes one of it (faults 19, 21). */
async function placeKeyed(order: Order, idempotencyKey: string): Promise<Outcome> {
  const { createOrder } = await orders();
  let wasUnknown = false;
  for (let resend = 0; ; resend += 1) {
    const result = await createOrder({ ...order, idempotencyKey });
    if (result.ok) return { kind: 'placed', orderId: result.value.id };
    const outcome = outcomeOf(result.failure);
    if (resend === RESENDS || !mayHaveArrived(result.failure))
      return wasUnknown && isBusy(result.failure) ? { kind: 'unknown' } : outcome;
    wasUnknown ||= outcome.kind === 'unknown';
    await pause(pauseAfter(result.failure, resend));
  }
}

/** The ids of the user's orders that are just like this one. */
async function twins({ cart, address }: Order): Promise<Result<string[]>> {
  const { fetchOrders } = await orders();
  const result = await fetchOrders();
  if (!result.ok) return result;
  const same = result.value.filter((other) => isSameOrder(other, productQuantities(cart), address));
  return { ok: true, value: same.map(({ id }) => id) };
}

/** Without keys nothing is sent twice: a lost answer is looked up among the user's orders (faults 20). */
async function placeUnkeyed(order: Order, attempt: Attempt, fingerprint: string): Promise<Outcome> {
  const now = await twins(order);
  // Nothing was sent, so nothing is unknown.
  if (!now.ok)
    return isSignedOut(now.failure) ? { kind: 'signed-out' } : { kind: 'refused', failure: now.failure };
  const earlier = attempt.unanswered?.fingerprint === fingerprint ? attempt.unanswered.before : now.value;
  const lost = now.value.find((id) => !earlier.includes(id));
  if (lost !== undefined) return { kind: 'placed', orderId: lost };
  noteUnanswered({ fingerprint, before: earlier });

  const { createOrder } = await orders();
  const result = await createOrder({ ...order, idempotencyKey: attempt.key });
  if (result.ok) return { kind: 'placed', orderId: result.value.id };
  if (mayHaveArrived(result.failure)) {
    const after = await twins(order);
    if (!after.ok) return { kind: 'unknown' };
    const found = after.value.find((id) => !earlier.includes(id));
    if (found !== undefined) return { kind: 'placed', orderId: found };
  }
  const outcome = outcomeOf(result.failure);
  if (outcome.kind !== 'unknown') noteRefused();
  return outcome;
}

/** Sends the order once, whatever happens on the way. Never throws on what the network does. */
export async function placeOrder(order: Order, attempt: Attempt): Promise<Outcome> {
  const fingerprint = orderFingerprint(order.cart, order.address);
  const { usesIdempotencyKeys } = await orders();
  return usesIdempotencyKeys
    ? placeKeyed(order, `${attempt.key}.${fingerprint}`)
    : placeUnkeyed(order, attempt, fingerprint);
}
