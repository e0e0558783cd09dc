import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import type { Shop } from './shop.ts';

/** A failure that is forced on a shop. */
export interface Strike {
  readonly kind: Kind;
  /** The index of the process that it hits. */
  readonly slot: number;
  /** How long after the end of the previous strike it happens, in ms. */
  readonly after: number;
  /** How long the database is down, in ms. */
  readonly outage: number;
}

type Kind = 'a process' | 'the database' | 'the database, and a process meanwhile';
type Execute = (shop: Shop, strike: Strike) => Promise<number | undefined>;

/** In ms. Short, so that strikes hit processes that are starting, and orders under way. */
const LONGEST_PAUSE = 400;
const LONGEST_OUTAGE = 500;

/** Crashes the database. Returns how many ms after its return every process sells again. */
async function crashDatabase(
  shop: Shop,
  { outage }: Strike,
  meanwhile: () => Promise<void>,
): Promise<number> {
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

const STRIKES: Readonly<Record<Kind, Execute>> = {
  'a process': async (shop, { slot }) => {
    await shop.restart(slot);
    return undefined;
  },
  'the database': (shop, strike) => crashDatabase(shop, strike, async () => undefined),
  'the database, and a process meanwhile': (shop, strike) =>
    crashDatabase(shop, strike, () => shop.restart(strike.slot)),
};

/** On average, every second strike hits a process alone. */
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

/** The same plan always gives the same strikes. */
export const planStrikes = ({ strikes, seed, processes, hasServer }: Plan): Strike[] =>
  fc.sample(
    fc.record({
      kind: fc.constantFrom(...kindsFor(hasServer)),
      slot: fc.nat(processes - 1),
      after: fc.nat(LONGEST_PAUSE),
      outage: fc.nat(LONGEST_OUTAGE),
    }),
    { seed, numRuns: strikes },
  );

/** Returns how many ms after the database's return every process sells again; undefined if it was not crashed. */
export const strike = async (shop: Shop, planned: Strike): Promise<number | undefined> => {
  await pause(planned.after);
  return STRIKES[planned.kind](shop, planned);
};
