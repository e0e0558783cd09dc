import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import type { ShopProcesses } from './shop-processes.ts';

/** A forced failure. */
export interface Strike {
  readonly kind: Kind;
  /** The index of the process. */
  readonly slot: number;
  /** The time since the end of the previous strike, in ms. */
  readonly after: number;
  /** How long the database is down, in ms. */
  readonly outage: number;
}

type Kind = 'a process' | 'the database' | 'the database, and a process meanwhile';

/** In ms. Short, so that strikes hit starting processes, and orders in progress. */
const LONGEST_PAUSE = 400;
const LONGEST_OUTAGE = 500;

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

/** In ms, from the database's return until all processes take orders; undefined if only a process was killed. */
export async function strike(
  shop: ShopProcesses,
  { kind, slot, after, outage }: Strike,
): Promise<number | undefined> {
  await pause(after);
  if (kind === 'a process') {
    await shop.restart(slot);
    return undefined;
  }
  const { server } = shop.storage;
  if (!server) throw new Error('This database has no server.');
  await server.crash();
  const comeBack = async (): Promise<number> => {
    await pause(outage);
    await server.start();
    return performance.now();
  };
  const restarting = kind === 'the database' ? undefined : shop.restart(slot);
  const [returned] = await Promise.all([comeBack(), restarting]);
  await shop.untilAllSell();
  return performance.now() - returned;
}
