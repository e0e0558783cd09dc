import fc from 'fast-check';
import type { Ending } from '#tests/support/providers/fake-provider.ts';

/** How a shopper's try to pay ends at the provider, and how often in 100 it does. Two endings are one after the other. */
const ENDINGS: readonly (readonly [often: number, endings: readonly Ending[]])[] = [
  [78, [{ outcome: 'succeeded' }]],
  [8, [{ outcome: 'failed' }, { outcome: 'succeeded' }]],
  [4, [{ outcome: 'failed' }]],
  [4, [{ outcome: 'expired' }]],
  [3, [{ outcome: 'succeeded', paise: 100 }]],
  [3, []],
];

/** What one shopper does with one order, and what becomes of the provider's webhooks. */
export interface Plan {
  /** Two payments are begun, and end, at once. */
  readonly isDouble: boolean;
  readonly endings: readonly Ending[];
  /** The staff cancel the order before it is paid. */
  readonly isCancelled: boolean;
  /** Two owners give money back at once, each this part of what was paid. */
  readonly refundParts: readonly number[];
  /** Whether the shopper comes back to the shop from the provider's page. */
  readonly comesBack: boolean;
  /** How often each webhook is sent, and how late each time, in ms; a webhook that is never sent has none. */
  readonly deliveries: readonly (readonly number[])[];
}

/** In ms: a third of the webhooks comes so late that other payments, kills and questions come between. */
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
