import { createOrder, type OrderRequest } from '#api/create-order.ts';
import { type Failure, isOutcomeUnknown, isSignedOut, type Result } from '#api/failure.ts';
import { fetchOrders } from '#api/orders.ts';
import { isSameOrder, orderFingerprint } from '#domain/same-order.ts';
import { pause } from '#stores/shell/pause.ts';
import { type CheckoutAttempt, recordRefused, recordUnanswered } from './checkout-attempt.ts';

export type Outcome =
  | { readonly kind: 'placed'; readonly orderId: string }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'refused'; readonly failure: Failure }
  | { readonly kind: 'unknown' };

type Order = Pick<OrderRequest, 'cart' | 'address' | 'total'>;

const RESENDS = 2;
const PAUSE_MS = 800;
const PAUSE_LIMIT_MS = 10_000;
const IN_PROGRESS = 409;
const BUSY = 429;
/** Statuses that do not say whether the server created the order, such as those of a proxy. */
const INCONCLUSIVE: readonly number[] = [408, IN_PROGRESS, 502, 504];

const mayHaveArrived = (failure: Failure): boolean =>
  isOutcomeUnknown(failure) || (failure.kind === 'refused' && failure.status === IN_PROGRESS);

function outcomeOf(failure: Failure): Outcome {
  if (isSignedOut(failure)) return { kind: 'signed-out' };
  if (failure.kind !== 'refused' || INCONCLUSIVE.includes(failure.status)) return { kind: 'unknown' };
  return { kind: 'refused', failure };
}

/** The server was too busy to check whether it already had the order. */
const isBusy = (failure: Failure): boolean =>
  failure.kind === 'refused' && (failure.status === BUSY || failure.status >= 500);

/** The pause before a resend: the server's Retry-After, or exponential backoff with jitter. Units: ms. */
function pauseAfter(failure: Failure, resend: number): number {
  const requested = failure.kind === 'refused' ? (failure.retryAfterSeconds ?? 0) * 1_000 : 0;
  const backoff = PAUSE_MS * 2 ** resend * (0.75 + Math.random() / 2);
  return Math.min(requested || backoff, PAUSE_LIMIT_MS);
}

async function fetchEqualOrders({ cart, address }: Order): Promise<Result<string[]>> {
  const result = await fetchOrders();
  if (!result.ok) return result;
  const same = result.value.filter((other) => isSameOrder(other, cart, address));
  return { ok: true, value: same.map(({ id }) => id) };
}

/**
 * Finds a sent order among equal orders. `now` is the list after it was sent, `before` the list from before, if known.
 * Returns undefined if the order is not found.
 */
function findOrder(now: Result<string[]>, before: readonly string[] | undefined): Outcome | undefined {
  if (!now.ok) return { kind: 'unknown' };
  const orderId = now.value.find((id) => !before?.includes(id));
  if (orderId === undefined) return undefined;
  // Without `before`, this may be an older order.
  return before ? { kind: 'placed', orderId } : { kind: 'unknown' };
}

/**
 * Creates the order at most once, even if requests fail or answers are lost. With an idempotency key the order may be
 * sent again, because the server creates only one. Without a key a lost order is looked up in GET /orders instead.
 * Never rejects.
 */
export async function createOrderOnce(order: Order, { key, unanswered }: CheckoutAttempt): Promise<Outcome> {
  const hasKeys = __CAPABILITIES__.idempotencyKeys;
  const fingerprint = orderFingerprint(order.cart, order.address);
  const sent = unanswered?.fingerprint === fingerprint ? unanswered : undefined;
  let wasUnknown = hasKeys && sent !== undefined;
  let before = sent?.before;
  // An order that may exist is sent again unchanged.
  const total = sent ? sent.total : order.total;
  if (!hasKeys) {
    const now = await fetchEqualOrders(order);
    if (!now.ok && isSignedOut(now.failure)) return { kind: 'signed-out' };
    const found = sent && findOrder(now, before);
    if (found) return found;
    before ??= now.ok ? now.value : undefined;
  }
  recordUnanswered({ fingerprint, before, total, at: Date.now() });
  for (let resend = 0; ; resend += 1) {
    const result = await createOrder({ ...order, total, idempotencyKey: `${key}.${fingerprint}` });
    if (result.ok) return { kind: 'placed', orderId: result.value.id };
    const { failure } = result;
    const outcome = outcomeOf(failure);
    wasUnknown ||= outcome.kind === 'unknown';
    if (hasKeys && resend < RESENDS && mayHaveArrived(failure)) {
      await pause(pauseAfter(failure, resend));
      continue;
    }
    const found =
      !hasKeys && mayHaveArrived(failure) ? findOrder(await fetchEqualOrders(order), before) : undefined;
    if (found) return found;
    const isUnsure = wasUnknown && (outcome.kind === 'signed-out' || isBusy(failure));
    if (outcome.kind === 'unknown' || (isUnsure && outcome.kind === 'refused')) return { kind: 'unknown' };
    if (!isUnsure) recordRefused();
    return outcome;
  }
}
