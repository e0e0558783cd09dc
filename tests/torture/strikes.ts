import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import type { Shop } from './shop.ts';

/** What happens to a shop at once, and when. */
export interface Strike {
  readonly kind: Kind;
  /** The place of the process that it hits. */
  readonly slot: number;
  /** From the end of the strike before until this one, in ms. */
  readonly after: number;
  /** For how long the database is gone, in ms. */
  readonly outage: number;
}

type Kind = 'a process' | 'the database' | 'the database, and a process meanwhile';
type Strikes = (shop: Shop, strike: Strike) => Promise<number | undefined>;

/** The longest times. They are short, so that strikes fall into starts and into orders. */
const LONGEST_LIFE = 400;
const LONGEST_OUTAGE = 500;

/** Takes the database away, and returns after how many ms from its return every process sells again. */
async function takeDatabase(shop: Shop, { outage }: Strike, meanwhile: () => Promise<void>): Promise<number> {
  const { server } = shop.storage;
  if (!server) throw new Error('This database has no server.');
  await server.crash();
  const comeBack = async (): Promise<number> => {
    await pause(outage);
    await server.start();
    return performance.now();
  };
  const [returned] = await Promise.all([comeBack(), meanwhile()]);
  await shop.untilAllSell();
  return performance.now() - returned;
}

const STRIKES: Readonly<Record<Kind, Strikes>> = {
  'a process': async (shop, { slot }) => {
    await shop.restart(slot);
    return undefined;
  },
  'the database': (shop, strike) => takeDatabase(shop, strike, async () => undefined),
  'the database, and a process meanwhile': (shop, strike) =>
    takeDatabase(shop, strike, () => shop.restart(strike.slot)),
};

/** Every second strike hits a process alone. */
const kindsFor = (hasServer: boolean): Kind[] =>
  hasServer
    ? ['a process', 'a process', 'the database', 'the database, and a process meanwhile']
    : ['a process'];

export interface Plan {
  readonly strikes: number;
  readonly seed: number;
  readonly processes: number;
  readonly hasServer: boolean;
}

/** Makes the same strikes of the same plan. */
export const planStrikes = ({ strikes, seed, processes, hasServer }: Plan): Strike[] =>
  fc.sample(
    fc.record({
      kind: fc.constantFrom(...kindsFor(hasServer)),
      slot: fc.nat(processes - 1),
      after: fc.nat(LONGEST_LIFE),
      outage: fc.nat(LONGEST_OUTAGE),
    }),
    { seed, numRuns: strikes },
  );

/** Returns after how many ms from the database's return every process sells; undefined if it was not taken away. */
export const strike = async (shop: Shop, planned: Strike): Promise<number | undefined> => {
  await pause(planned.after);
  return STRIKES[planned.kind](shop, planned);
};
