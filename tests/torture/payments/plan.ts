import fc from 'fast-check';
import type { Ending } from '#tests/support/providers/fake-provider.ts';

/** How a payment ends at the provider, and how often in 100. Two endings happen one after the other. */
const ENDINGS: readonly (readonly [often: number, endings: readonly Ending[]])[] = [
  [78, [{ outcome: 'succeeded' }]],
  [8, [{ outcome: 'failed' }, { outcome: 'succeeded' }]],
  [4, [{ outcome: 'failed' }]],
  [4, [{ outcome: 'expired' }]],
  [3, [{ outcome: 'succeeded', paise: 100 }]],
  [3, []],
];

/** What a shopper does with an order, and what happens to the webhooks. */
export interface Plan {
  /** Two payments are started, and end, at once. */
  readonly isDouble: boolean;
  readonly endings: readonly Ending[];
  /** Staff cancel the order before it is paid. */
  readonly isCancelled: boolean;
  /** Two owners refund at once, each this part of the payment. */
  readonly refundParts: readonly number[];
  /** Whether the shopper returns from the provider's page. */
  readonly comesBack: boolean;
  /** The delays of each webhook in ms, one per delivery. Empty: never sent. */
  readonly deliveries: readonly (readonly number[])[];
}

/** In ms. A third of the webhooks is so late that other payments, kills and polls come first. */
const SOON = 200;
const LATE = 20_000;

const often = (percent: number) => fc.nat(99).map((number) => number < percent);
const delay = fc.oneof(fc.nat(SOON), fc.nat(SOON), fc.nat(LATE));
const part = fc.constantFrom(0.3, 0.6, 1);

/** The same seed makes the same plans. */
export const planPayments = (count: number, seed: number): Plan[] =>
  fc.sample(
    fc.record({
      isDouble: often(15),
      endings: fc.oneof(...ENDINGS.map(([weight, endings]) => ({ weight, arbitrary: fc.constant(endings) }))),
      isCancelled: often(5),
      refundParts: fc.tuple(often(15), part, part).map(([gives, ...parts]) => (gives ? parts : [])),
      comesBack: often(20),
      // A payment of Razorpay has two webhooks, and may end twice.
      deliveries: fc.array(fc.array(delay, { maxLength: 3 }), { minLength: 6, maxLength: 6 }),
    }),
    { seed, numRuns: count },
  );
