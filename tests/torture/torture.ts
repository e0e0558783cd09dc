/**
 * `npm run torture [-- --database=postgres --processes=3 --kills=200 --seed=1]` kills the API, and PostgreSQL, at random
 * moments under load. `run.ts` says how. With `--payments=razorpay` (or `cashfree`) shoppers pay meanwhile:
 * `payments/run.ts`.
 */
import { parseArgs } from 'node:util';
import { torturePayments } from './payments/run.ts';
import { type Outcome, SLOWEST_RECOVERY, torture } from './run.ts';
import { STORAGES } from './storage.ts';

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    processes: { type: 'string', default: '1' },
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    shoppers: { type: 'string', default: '8' },
    payments: { type: 'string' },
    count: { type: 'string', default: '2000' },
  },
});
const open = new Map(Object.entries(STORAGES)).get(values.database);
if (!open)
  throw new Error(`--database=${values.database}: there are ${Object.keys(STORAGES).join(' and ')}.`);

const storage = await open();
const started = performance.now();
const common = {
  processes: Number(values.processes),
  strikes: Number(values.kills),
  shoppers: Number(values.shoppers),
  seed: Number(values.seed),
};
const run = (): Promise<Outcome> =>
  values.payments === undefined
    ? torture(storage, {
        ...common,
        onStrike: (strikes, acknowledged) => {
          if (strikes % 20 === 0) console.log(`${strikes} strikes, ${acknowledged} orders acknowledged`);
        },
      })
    : torturePayments(storage, {
        ...common,
        provider: values.payments,
        payments: Number(values.count),
      });
/** How soon after the database's return every process must sell again, in ms. */
const RECOVERY_BAR = 5_000;

const { counted, wrong, complaints } = await run().finally(storage.remove);

const seconds = ((performance.now() - started) / 1_000).toFixed(0);
console.log(`\n${values.kills} strikes in ${seconds} s, seed ${values.seed}, ${values.processes} processes`);
const line = (what: string, count: number) => `${what.padEnd(56)}${String(count).padStart(8)}`;
for (const [what, count] of Object.entries(counted)) console.log(line(what, count));
for (const [what, count] of Object.entries(wrong))
  console.log(`${line(what, count)}  ${count === 0 ? 'met' : 'NOT MET'}`);
for (const complaint of complaints.slice(0, 20)) console.log(complaint);
// Not a promise of the tests: a busy machine is slower.
const isFast = (counted[SLOWEST_RECOVERY] ?? 0) <= RECOVERY_BAR;
if (!isFast) console.log(`A recovery took more than ${RECOVERY_BAR} ms.`);
process.exitCode = isFast && Object.values(wrong).every((count) => count === 0) ? 0 : 1;
