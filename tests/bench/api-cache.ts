import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isInstalled, startCachingNginx } from '#tests/publish/support/web-servers.ts';
import { CALLS, load, type Measurement } from './api-load.ts';
import type { Target } from './api-target.ts';
import type { Row } from './table.ts';
import { inTurns, median } from './turns.ts';

const ROUNDS = 3;
const ORIGIN = { Origin: 'http://localhost:4321' };

/** The calls of a visit to home, two listings and two products. The rest of each page was built. */
const visit = ({ products }: Target): string[] => [
  'storeInfo',
  'products?page=1&limit=4&category=tropical+fruits',
  'products?page=1&limit=12&category=tropical+fruits',
  'products?page=1&limit=100',
  `products/${products[0]}`,
  'products?page=2&limit=12',
  'products?page=1&limit=100',
  `products/${products[1]}`,
];

const READS = {
  'a list of 12': CALLS['a list of 12'],
  'the calls of five pages': (target: Target, connection: number, sent: number) => {
    const paths = visit(target);
    return { path: paths[(connection + sent) % paths.length] ?? '', headers: ORIGIN };
  },
};

const medianOf = (rounds: readonly Measurement[], what: keyof Measurement): number =>
  median(rounds.map((round) => round[what]));

/** Asks an API directly and through nginx with a shared cache, in turns. */
export async function measureCached(target: Target): Promise<Row[]> {
  if (!isInstalled('nginx', '-v')) {
    console.log('nginx is not installed: the API is not measured behind a shared cache.');
    return [];
  }
  const folder = mkdtempSync(join(tmpdir(), 'bench-cache-'));
  const cache = await startCachingNginx(folder, target.urls[0] ?? '');
  const behind = { ...target, urls: [cache.url] };
  const rows: Row[] = [];
  try {
    for (const [name, make] of Object.entries(READS)) {
      if (!make) continue;
      const [direct = [], cached = []] = await inTurns([target, behind], ROUNDS, (asked) =>
        load(asked, make),
      );
      const what = `API behind nginx' cache: ${name}`;
      const note = `without it ${Math.round(medianOf(direct, 'perSecond'))}, ${medianOf(direct, 'p99').toFixed(1)} ms`;
      rows.push(
        { what, value: medianOf(cached, 'perSecond'), unit: 'a second', more: true, note },
        { what: `${what}, p99`, value: medianOf(cached, 'p99'), unit: 'ms' },
        { what: `${what}, reach the API`, value: 100 * medianOf(cached, 'reached'), unit: '%' },
      );
    }
  } finally {
    await cache.stop();
    rmSync(folder, { recursive: true });
  }
  return rows;
}
