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

/** In ms. A third of the webhooks is so late that other payments, kills and polls come first. */
const SOON = 200;
const LATE = 20_000;

const often = (percent: number) => fc.nat(99).map((number) => number < percent);
const delay = fc.oneof(fc.nat(SOON), fc.nat(SOON), fc.nat(LATE));
const part = fc.constantFrom(0.3, 0.6, 1);

/** What shoppers do with orders, and what happens to the webhooks. The same seed makes the same plans. */
export const planPayments = (count: number, seed: number) =>
  fc.sample(
    fc.record({
      /** Two payments are started, and end, at once. */
      isDouble: often(15),
      endings: fc.oneof(...ENDINGS.map(([weight, endings]) => ({ weight, arbitrary: fc.constant(endings) }))),
      /** Staff cancel the order before it is paid. */
      isCancelled: often(5),
      /** Two owners refund at once, each this part of the payment. */
      refundParts: fc.tuple(often(15), part, part).map(([gives, ...parts]) => (gives ? parts : [])),
      /** Whether the shopper returns from the provider's page. */
      comesBack: often(20),
      /**
       * The delays of each webhook in ms, one per delivery. Empty: never sent. A payment of Razorpay has two webhooks, and
       * may end twice.
       */
      deliveries: fc.array(fc.array(delay, { maxLength: 3 }), { minLength: 6, maxLength: 6 }),
    }),
    { seed, numRuns: count },
  );

export type Plan = ReturnType<typeof planPayments>[number];
