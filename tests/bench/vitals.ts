import lighthouse, { type Flags, type RunnerResult } from 'lighthouse';
import { connect } from 'puppeteer-core';
import { serveFloor } from './floor.ts';
import type { BenchShop } from './shop.ts';
import type { Row } from './table.ts';

const RUNS = 3;
/** A page's LCP has two values, by what comes before the first frame: three visits are too few to tell. */
const LCP_RUNS = 5;
const LCP_FACTOR = 1.15;

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
type Category = (typeof CATEGORIES)[number];

/** Pages that are noindex on purpose have no bar for SEO. */
const PAGES: readonly { readonly name: string; readonly path: string; readonly noindex?: true }[] = [
  { name: 'policy', path: '/terms' },
  { name: 'contact', path: '/contact' },
  { name: 'cart', path: '/cart', noindex: true },
  { name: 'login', path: '/login', noindex: true },
  { name: 'register', path: '/register', noindex: true },
  { name: 'track order', path: '/track-order', noindex: true },
  { name: 'order success', path: '/order-success', noindex: true },
];

/** What Lighthouse reports of a first visit: nothing is kept of those before, as fonts or a cart would be. */
async function visit(url: string, port: number): Promise<RunnerResult['lhr']> {
  const browser = await connect({ browserURL: `http://127.0.0.1:${port}`, defaultViewport: null });
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const flags: Flags = { logLevel: 'error', output: 'json', onlyCategories: [...CATEGORIES] };
  const result = await lighthouse(url, flags, undefined, page);
  await context.close();
  await browser.disconnect();
  if (!result) throw new Error(`Lighthouse gave no result for ${url}`);
  return result.lhr;
}

const median = (values: number[]): number =>
  values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

interface Vitals {
  readonly lcp: number;
  readonly cls: number;
  readonly scores: Record<Category, number>;
  /** Audits that cost points, by id. */
  readonly flaws: string[];
}

async function vitalsOf(url: string, port: number, runs = RUNS): Promise<Vitals> {
  const reports: RunnerResult['lhr'][] = [];
  for (let run = 0; run < runs; run += 1) reports.push(await visit(url, port));
  const figure = (audit: string): number =>
    median(reports.map(({ audits }) => audits[audit]?.numericValue ?? Number.NaN));
  const score = (category: Category): number =>
    median(reports.map(({ categories }) => (categories[category]?.score ?? 0) * 100));
  const flaws = Object.values(reports[0]?.audits ?? {})
    .filter(
      (audit) => audit.score !== null && audit.score < 0.9 && audit.scoreDisplayMode !== 'metricSavings',
    )
    .map(({ id }) => id);
  return {
    lcp: figure('largest-contentful-paint'),
    cls: figure('cumulative-layout-shift'),
    scores: Object.fromEntries(CATEGORIES.map((category) => [category, score(category)])) as Record<
      Category,
      number
    >,
    flaws,
  };
}

interface ScoreOptions {
  readonly noindex?: boolean | undefined;
  /** The hand-written page of the same run. */
  readonly plain?: Vitals;
}

const scoreNote = (category: Category, { flaws }: Vitals, plain: Vitals | undefined): string =>
  [...flaws, ...(plain ? [`(hand-written ${plain.scores[category]})`] : [])].join(' ');

const scoreRows = (name: string, vitals: Vitals, { noindex = false, plain }: ScoreOptions = {}): Row[] => [
  ...CATEGORIES.map((category) => ({
    what: `${name}: Lighthouse ${category}`,
    value: vitals.scores[category],
    unit: '',
    more: true,
    ...(noindex && category === 'seo' ? {} : { bar: 100 }),
    ...(vitals.scores[category] < 100 ? { note: scoreNote(category, vitals, plain) } : {}),
  })),
  { what: `${name}: layout shift`, value: vitals.cls, unit: '', bar: 0 },
];

/** Lighthouse mobile: all scores, and LCP beside the hand-written page in the same run. */
export async function measureVitals({ url, dist, debuggingPort, productPath }: BenchShop): Promise<Row[]> {
  const rows: Row[] = [];
  const measured = { home: '/', listing: '/products', product: productPath };
  const floor = await serveFloor(dist, Object.values(measured));
  for (const [name, path] of Object.entries(measured)) {
    const plain = await vitalsOf(floor.url + path, debuggingPort, LCP_RUNS);
    const vitals = await vitalsOf(url + path, debuggingPort, LCP_RUNS);
    rows.push(
      {
        what: `${name}: LCP`,
        value: vitals.lcp,
        unit: 'ms',
        bar: plain.lcp * LCP_FACTOR,
        note: `hand-written ${Math.round(plain.lcp)} ms`,
      },
      ...scoreRows(name, vitals, { plain }),
    );
  }
  await floor.close();
  for (const { name, path, noindex } of PAGES) {
    rows.push(...scoreRows(name, await vitalsOf(url + path, debuggingPort), { noindex }));
  }
  return rows;
}
