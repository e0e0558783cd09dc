import fc from 'fast-check';
import type { Ending } from '#tests/support/providers/fake-provider.ts';

/** How one of a shopper's tries to pay ends at the provider; 'failed, then paid' are two endings. */
const ENDINGS = {
  paid: [{ outcome: 'succeeded' }],
  'failed, then paid': [{ outcome: 'failed' }, { outcome: 'succeeded' }],
  failed: [{ outcome: 'failed' }],
  expired: [{ outcome: 'expired' }],
  'paid a wrong amount': [{ outcome: 'succeeded', paise: 100 }],
  left: [],
} as const satisfies Readonly<Record<string, readonly Ending[]>>;

/** What one shopper does with one order, and what becomes of the provider's webhooks. */
export interface Plan {
  /** Two payments are begun, and end, at once. */
  readonly isDouble: boolean;
  readonly ending: keyof typeof ENDINGS;
  /** The staff cancel the order before it is paid. */
  readonly isCancelled: boolean;
  /** Two owners give money back at once, each this part of what was paid. */
  readonly givesBack: readonly number[];
  /** Whether the shopper comes back to the shop from the provider's page. */
  readonly comesBack: boolean;
  /** How often each webhook is sent, and how late each time, in ms; a webhook that is never sent has none. */
  readonly deliveries: readonly (readonly number[])[];
}

export const endingsOf = ({ ending }: Plan): readonly Ending[] => ENDINGS[ending];

/** In ms: a third of the webhooks comes so late that other payments, kills and questions come between. */
const SOON = 200;
const LATE = 20_000;

const delay = fc.oneof({ weight: 2, arbitrary: fc.nat(SOON) }, { weight: 1, arbitrary: fc.nat(LATE) });

const deliveries = fc.oneof(
  { weight: 9, arbitrary: fc.array(delay, { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constant([]) },
);

const often = (weight: number) =>
  fc.oneof({ weight, arbitrary: fc.constant(true) }, { weight: 100 - weight, arbitrary: fc.constant(false) });

const ending = fc.oneof(
  { weight: 78, arbitrary: fc.constant('paid' as const) },
  { weight: 8, arbitrary: fc.constant('failed, then paid' as const) },
  { weight: 4, arbitrary: fc.constant('failed' as const) },
  { weight: 4, arbitrary: fc.constant('expired' as const) },
  { weight: 3, arbitrary: fc.constant('paid a wrong amount' as const) },
  { weight: 3, arbitrary: fc.constant('left' as const) },
);

/** The same seed makes the same plans. */
export const planPayments = (count: number, seed: number): Plan[] =>
  fc.sample(
    fc.record({
      isDouble: often(15),
      ending,
      isCancelled: often(5),
      givesBack: fc.oneof(
        { weight: 85, arbitrary: fc.constant([]) },
        { weight: 15, arbitrary: fc.tuple(fc.constantFrom(0.3, 0.6, 1), fc.constantFrom(0.3, 0.6, 1)) },
      ),
      comesBack: often(20),
      // A payment of Razorpay has two webhooks, and may end twice.
      deliveries: fc.array(deliveries, { minLength: 6, maxLength: 6 }),
    }),
    { seed, numRuns: count },
  );
