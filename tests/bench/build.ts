import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { changesBetween } from '#scripts/publish/changes.ts';
import { fingerprint } from '#scripts/publish/manifest.ts';
import { answerStub, type StubCatalogue, stubCatalogue } from '#tests/publish/support/stub-catalogue.ts';
import { generatedProducts } from './generate.ts';
import type { Row } from './table.ts';

const KIB_PER_GIB = 1024 * 1024;
/** What is the same for any number of products is most of a small shop's build; larger shops have no bar for a change. */
const MEASURED_SHOP = 10_000;
/** Rupees; no generated product has it, and no page these digits in another place, such as a telephone number. */
const NEW_PRICE = 817_263;

interface Usage {
  /** ms of CPU of all processes together. */
  readonly cpu: number;
  readonly seconds: number;
  /** Of the largest process. */
  readonly gib: number;
}

const script = (name: string): string => fileURLToPath(new URL(`../../scripts/${name}`, import.meta.url));
const REPORT = new URL('./report-usage.ts', import.meta.url).href;

async function run(name: string, args: readonly string[], env: Record<string, string>): Promise<Usage> {
  const file = join(env.WORK ?? tmpdir(), `usage-${Date.now()}`);
  const started = performance.now();
  const child = spawn(process.execPath, [script(name), ...args], {
    env: {
      ...process.env,
      ...env,
      PUBLIC_IMAGES: 'passthrough',
      NODE_OPTIONS: `--import=${REPORT}`,
      USAGE_FILE: file,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`${name} failed`);
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number));
  return {
    cpu: lines.reduce((sum, [user = 0, system = 0]) => sum + (user + system) / 1_000, 0),
    seconds: (performance.now() - started) / 1_000,
    gib: Math.max(...lines.map(([, , rss = 0]) => rss)) / KIB_PER_GIB,
  };
}

function reprice(catalogue: StubCatalogue, index: number): string {
  const product = { ...catalogue.products[index], regularPrice: NEW_PRICE, discountedPrice: null };
  catalogue.products = catalogue.products.with(index, product);
  return String(catalogue.products[index]?.id);
}

async function measure(count: number, work: string, catalogue: StubCatalogue, api: string): Promise<Row[]> {
  catalogue.products = generatedProducts(count);
  const dist = join(work, `dist-${count}`);
  const env = {
    WORK: work,
    OUT_DIR: dist,
    PUBLIC_API_HOST: api,
    PUBLISH_DIR: join(work, `releases-${count}`),
  };
  const label = `${count.toLocaleString('en-IN')} products`;
  const full = await run('build.ts', ['--fresh'], env);
  const before = { products: {}, files: await fingerprint(dist) };
  const id = reprice(catalogue, Math.floor(count / 2));
  const again = await run('build.ts', [], env);
  const { written } = changesBetween(before, { products: {}, files: await fingerprint(dist) });
  // Files for filters hold prices without names.
  const showing = written.filter((file) => {
    const text = readFileSync(join(dist, file), 'utf8');
    return text.includes(id) || text.includes(String(NEW_PRICE));
  });
  const first = await run('publish/main.ts', ['--allow-heavy'], env);
  reprice(catalogue, Math.floor(count / 3));
  const published = await run('publish/main.ts', ['--allow-heavy'], env);
  const back = await run('publish/main.ts', ['--rollback'], env);
  return [
    {
      what: `full build, ${label}: CPU a page`,
      value: full.cpu / count,
      unit: 'ms',
      ...(count < MEASURED_SHOP ? {} : { bar: 1.6 }),
    },
    { what: `full build, ${label}: memory`, value: full.gib, unit: 'GiB', bar: 1 },
    {
      what: `one price changed, ${label}: share of the CPU`,
      value: again.cpu / full.cpu,
      unit: '',
      bar: 1 / 3,
    },
    {
      what: `one price changed, ${label}: files that do not show it`,
      value: written.length - showing.length,
      unit: '',
      bar: 0,
      note: `of ${written.length}: ${written.slice(0, 6).join(' ')}`,
    },
    { what: `publication, ${label}: memory`, value: Math.max(first.gib, published.gib), unit: 'GiB', bar: 1 },
    {
      what: `one price changed, ${label}: to the switched release`,
      value: published.seconds,
      unit: 's',
      ...(count > MEASURED_SHOP ? {} : { bar: 20 }),
    },
    { what: `roll back, ${label}`, value: back.seconds, unit: 's', bar: 5 },
  ];
}

/** Full build, rebuild and publication of generated shops; pictures are passed on, not encoded. */
export async function measureBuild(counts: readonly number[]): Promise<Row[]> {
  const work = mkdtempSync(join(tmpdir(), 'bench-build-'));
  const catalogue = stubCatalogue(0);
  const server = createServer((request, response) => answerStub(catalogue, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const api = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  const rows: Row[] = [];
  try {
    for (const count of counts) rows.push(...(await measure(count, work, catalogue, api)));
  } finally {
    server.close();
    server.closeAllConnections();
    rmSync(work, { recursive: true, force: true });
  }
  return rows;
}
