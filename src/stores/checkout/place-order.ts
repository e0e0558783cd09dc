import { type Failure, isOutcomeUnknown, isSignedOut, type Result } from '#api/failure.ts';
import type { OrderRequest } from '#api/orders.ts';
import { orderFingerprint } from '#domain/checkout.ts';
import { isSameOrder } from '#domain/shipping-address.ts';
import { pause } from '#stores/shell/pause.ts';
import { type Attempt, noteRefused, noteUnanswered } from './checkout-attempt.ts';

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

/** An order just like this one that was sent before, and of which nobody could say what became. */
const sentBefore = ({ unanswered }: Attempt, fingerprint: string): Attempt['unanswered'] =>
  unanswered?.fingerprint === fingerprint ? unanswered : undefined;

/** With keys the same order may be sent again: the server makes one of it (faults 19, 21). */
async function placeKeyed(order: Order, attempt: Attempt, fingerprint: string): Promise<Outcome> {
  const { createOrder } = await orders();
  let wasUnknown = sentBefore(attempt, fingerprint) !== undefined;
  for (let resend = 0; ; resend += 1) {
    const result = await createOrder({ ...order, idempotencyKey: `${attempt.key}.${fingerprint}` });
    if (result.ok) return { kind: 'placed', orderId: result.value.id };
    const outcome = outcomeOf(result.failure);
    wasUnknown ||= outcome.kind === 'unknown';
    if (resend < RESENDS && mayHaveArrived(result.failure)) {
      await pause(pauseAfter(result.failure, resend));
      continue;
    }
    const isRefused = outcome.kind === 'refused' && !(wasUnknown && isBusy(result.failure));
    if (isRefused) noteRefused();
    else if (wasUnknown) noteUnanswered({ fingerprint });
    return isRefused || outcome.kind === 'signed-out' ? outcome : { kind: 'unknown' };
  }
}

/** The ids of the user's orders that are just like this one. */
async function twins({ cart, address }: Order): Promise<Result<string[]>> {
  const { fetchOrders } = await orders();
  const result = await fetchOrders();
  if (!result.ok) return result;
  const same = result.value.filter((other) => isSameOrder(other, cart, address));
  return { ok: true, value: same.map(({ id }) => id) };
}

/** What became of an order that was sent: nothing where it is not among the orders like it. */
function lookUp(now: Result<string[]>, before: readonly string[] | undefined): Outcome | undefined {
  if (!now.ok) return { kind: 'unknown' };
  const orderId = now.value.find((id) => !before?.includes(id));
  if (orderId === undefined) return undefined;
  // Without the list of before it may be an older one.
  return before ? { kind: 'placed', orderId } : { kind: 'unknown' };
}

/** Without keys nothing is sent twice: a lost answer is looked up among the user's orders (faults 20). */
async function placeUnkeyed(order: Order, attempt: Attempt, fingerprint: string): Promise<Outcome> {
  const sent = sentBefore(attempt, fingerprint);
  const now = await twins(order);
  if (!now.ok && isSignedOut(now.failure)) return { kind: 'signed-out' };
  const found = sent && lookUp(now, sent.before);
  if (found) return found;
  const before = sent?.before ?? (now.ok ? now.value : undefined);
  noteUnanswered({ fingerprint, before });

  const { createOrder } = await orders();
  const result = await createOrder({ ...order, idempotencyKey: attempt.key });
  if (result.ok) return { kind: 'placed', orderId: result.value.id };
  const arrived = mayHaveArrived(result.failure) ? lookUp(await twins(order), before) : undefined;
  const outcome = arrived ?? outcomeOf(result.failure);
  if (outcome.kind !== 'unknown') noteRefused();
  return outcome;
}

/** Sends the order once, whatever happens on the way. Never throws on what the network does. */
export async function placeOrder(order: Order, attempt: Attempt): Promise<Outcome> {
  const fingerprint = orderFingerprint(order.cart, order.address);
  const { usesIdempotencyKeys } = await orders();
  return usesIdempotencyKeys
    ? placeKeyed(order, attempt, fingerprint)
    : placeUnkeyed(order, attempt, fingerprint);
}
