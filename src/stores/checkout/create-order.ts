import type { OrderRequest } from '#api/create-order.ts';
import { type Failure, isOutcomeUnknown, isSignedOut, type Result } from '#api/failure.ts';
import { isSameOrder, orderFingerprint } from '#domain/same-order.ts';
import { pause } from '#stores/shell/pause.ts';
import { type CheckoutAttempt, recordRefused, recordUnanswered } from './checkout-attempt.ts';

export type Outcome =
  | { readonly kind: 'placed'; readonly orderId: string }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'refused'; readonly failure: Failure }
  /** It is unknown whether the order was created. */
  | { readonly kind: 'unknown' };

type Order = Pick<OrderRequest, 'cart' | 'address'>;

const RESENDS = 2;
const PAUSE_MS = 800;
const PAUSE_LIMIT_MS = 10_000;
const IN_PROGRESS = 409;
const BUSY = 429;
/** Statuses that do not say whether the server created the order, such as those of a proxy. */
const INCONCLUSIVE: readonly number[] = [408, IN_PROGRESS, 502, 504];

const creating = () => import('#api/create-order.ts');

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

const unansweredOrder = (
  { unanswered }: CheckoutAttempt,
  fingerprint: string,
): CheckoutAttempt['unanswered'] => (unanswered?.fingerprint === fingerprint ? unanswered : undefined);

/** With an idempotency key the order may be sent again: the server creates only one. */
async function createWithKey(order: Order, attempt: CheckoutAttempt, fingerprint: string): Promise<Outcome> {
  const { createOrder } = await creating();
  let wasUnknown = unansweredOrder(attempt, fingerprint) !== undefined;
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
    if (isRefused) recordRefused();
    else if (wasUnknown) recordUnanswered({ fingerprint });
    return isRefused || outcome.kind === 'signed-out' ? outcome : { kind: 'unknown' };
  }
}

async function fetchEqualOrders({ cart, address }: Order): Promise<Result<string[]>> {
  const { fetchOrders } = await import('#api/orders.ts');
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

/** Without a key nothing is sent twice: if the answer is lost, the order is looked up in GET /orders. */
async function createWithoutKey(
  order: Order,
  attempt: CheckoutAttempt,
  fingerprint: string,
): Promise<Outcome> {
  const sent = unansweredOrder(attempt, fingerprint);
  const now = await fetchEqualOrders(order);
  if (!now.ok && isSignedOut(now.failure)) return { kind: 'signed-out' };
  const found = sent && findOrder(now, sent.before);
  if (found) return found;
  const before = sent?.before ?? (now.ok ? now.value : undefined);
  recordUnanswered({ fingerprint, before });

  const { createOrder } = await creating();
  const result = await createOrder({ ...order, idempotencyKey: attempt.key });
  if (result.ok) return { kind: 'placed', orderId: result.value.id };
  const arrived = mayHaveArrived(result.failure)
    ? findOrder(await fetchEqualOrders(order), before)
    : undefined;
  const outcome = arrived ?? outcomeOf(result.failure);
  if (outcome.kind !== 'unknown') recordRefused();
  return outcome;
}

/** Creates the order at most once, even if requests fail or answers are lost. Never throws for network failures. */
export function createOrderOnce(order: Order, attempt: CheckoutAttempt): Promise<Outcome> {
  const fingerprint = orderFingerprint(order.cart, order.address);
  return __CAPABILITIES__.idempotencyKeys
    ? createWithKey(order, attempt, fingerprint)
    : createWithoutKey(order, attempt, fingerprint);
}
