import type { ReturnState } from '#domain/order-history.ts';
import type { RecordChange } from '#server/admin/change-log.ts';
import type { Transaction } from '#server/db/database.ts';
import { q } from '#server/db/query.ts';
import { type OutboxServices, queueEmail } from '#server/email/outbox.ts';
import { RETURN_EMAILS } from './emails.ts';
import { answerOf, STATE_LABELS, type StoredReturn } from './stored-returns.ts';

interface ReturnStepRow {
  readonly from: readonly ReturnState[];
  /** What the staff choose. */
  readonly label: string;
  /** Whether the email to the customer needs a message of the staff. */
  readonly needsMessage?: true;
}

/** The steps of a return, by the state that they lead to. The email of a step is that of its name in RETURN_EMAILS. */
export const RETURN_STEPS = {
  accepted: { from: ['asked'], label: 'Accept', needsMessage: true },
  received: { from: ['accepted'], label: 'The goods have arrived' },
  replaced: { from: ['accepted', 'received'], label: 'New goods were sent instead' },
  refused: { from: ['asked', 'accepted', 'received'], label: 'Refuse', needsMessage: true },
  nothing_came: { from: ['accepted'], label: 'Nothing came' },
  withdrawn: { from: ['asked', 'accepted', 'received'], label: 'The customer withdraws it' },
} as const satisfies Readonly<Record<string, ReturnStepRow>>;

export type ReturnStep = keyof typeof RETURN_STEPS;

export const isReturnStep = (name: string): name is ReturnStep => Object.hasOwn(RETURN_STEPS, name);

/** The steps that are possible for a return now. */
export const stepsFrom = ({ state }: Pick<StoredReturn, 'state'>): ReturnStep[] =>
  Object.entries<ReturnStepRow>(RETURN_STEPS).flatMap(([name, { from }]) =>
    isReturnStep(name) && from.some((each) => each === state) ? [name] : [],
  );

export interface GivenStep extends Partial<Pick<StoredReturn, 'answer' | 'carrier' | 'tracking'>> {
  readonly to: ReturnStep;
  readonly isBackOnSale?: boolean;
}

/** Takes a step that is possible, with its email and its log entry. The caller has locked the order. */
export async function takeReturnStep(
  transaction: Transaction,
  services: OutboxServices,
  own: StoredReturn,
  orderId: string,
  { to, answer = '', carrier = null, tracking = null, isBackOnSale }: GivenStep,
  log: RecordChange,
): Promise<void> {
  const parcel = tracking ? { carrier, tracking } : {};
  const set = { state: to, changedAt: services.clock(), ...(answer ? { answer } : {}), ...parcel };
  await transaction.run(q.updateTable('returns').set(set).where('id', '=', own.id));
  if (to !== 'received') {
    const details = { answer: answerOf({ answer, carrier, tracking }) };
    await queueEmail(transaction, services, RETURN_EMAILS[to], orderId, details);
  }
  await log({
    action: 'answered a return',
    target: ['order', orderId],
    from: { return: STATE_LABELS[own.state] },
    to: { return: STATE_LABELS[to], ...(isBackOnSale && { goods: 'back on sale' }) },
  });
}
