import { findPostgres } from '#tests/support/find-postgres.ts';
import { type Cluster, startCluster } from '#tests/support/postgres-cluster.ts';
import { measureCached } from './api-cache.ts';
import { newAgent, send } from './api-http.ts';
import { CALLS, load, type Measurement, p99Of } from './api-load.ts';
import { openPostgresTarget, openSqliteTarget, type Target } from './api-target.ts';
import { HERE } from './commits.ts';
import { compared, type Row } from './table.ts';
import { inTurns, median } from './turns.ts';

const ROUNDS = 5;
const SIGN_INS = 200;
const READ_BAR_MS = 100;
/** How many processes share a PostgreSQL. */
const PROCESSES = [1, 2, 4];

/** The time within which 99 of 100 GETs are answered while 200 people sign in at once (faults 45). */
async function measureSignIns({ urls: [url = ''] }: Target): Promise<Row> {
  // The sign-ins have their own connections, so that the GETs wait for the server and not for a free connection.
  const [people, reader] = [newAgent(), newAgent()];
  let signingIn = true;
  const flood = Promise.all(
    Array.from({ length: SIGN_INS }, (_, index) => {
      const body = { email: `nobody${index}@example.com`, password: 'not the password' };
      return send(url, people, { path: 'users/authorize', body });
    }),
  ).finally(() => {
    signingIn = false;
  });
  const times: number[] = [];
  while (signingIn) {
    const sent = performance.now();
    await send(url, reader, { path: 'products' });
    times.push(performance.now() - sent);
  }
  await flood;
  for (const agent of [people, reader]) agent.destroy();
  return {
    what: `API: a GET while ${SIGN_INS} sign in, p99`,
    value: p99Of(times),
    unit: 'ms',
    bar: READ_BAR_MS,
    note: `of ${times.length}, worst ${Math.round(Math.max(...times))} ms`,
  };
}

/** Makes the rows of a call from the rounds of each target. */
function rowsOf(
  name: string,
  targets: readonly Target[],
  rounds: readonly (readonly Measurement[])[],
  isCompared: boolean,
): Row[] {
  const medians = (what: keyof Measurement, index: number): number[] => {
    const all = rounds.map((each) => median(each.map((round) => round[what])));
    return isCompared ? all : all.slice(index, index + 1);
  };
  const shown = isCompared ? targets.slice(0, 1) : targets;
  return shown.flatMap((target, index) => {
    const what = `API on ${target.name}: ${name}`;
    return [
      compared({ what, unit: 'a second', more: true, ratioBar: 0.9 }, medians('perSecond', index)),
      compared({ what: `${what}, p99`, unit: 'ms' }, medians('p99', index)),
    ];
  });
}

/**
 * Measures SQLite and PostgreSQL, or SQLite with another commit's. Server, database and client share the machine, so
 * figures can be compared only within one run.
 */
export async function measureApi(other: string | undefined): Promise<Row[]> {
  const sqlite = await openSqliteTarget(HERE);
  const targets = [sqlite];
  let cluster: Cluster | undefined;
  try {
    if (other !== undefined) targets.push(await openSqliteTarget(other));
    else if (findPostgres() === undefined)
      console.log('There is no PostgreSQL, so SQLite is measured alone.');
    else {
      cluster = await startCluster();
      for (const count of PROCESSES) targets.push(await openPostgresTarget(cluster, count));
    }
    const rows: Row[] = [];
    for (const [name, make] of Object.entries(CALLS)) {
      const rounds = await inTurns(targets, ROUNDS, (target) => load(target, make));
      rows.push(...rowsOf(name, targets, rounds, other !== undefined));
    }
    if (other === undefined) rows.push(...(await measureCached(sqlite)));
    return [...rows, await measureSignIns(sqlite)];
  } finally {
    for (const target of targets) await target.stop();
    await cluster?.stop();
  }
}
