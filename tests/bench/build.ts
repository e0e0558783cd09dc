import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerStub, type StubCatalogue, stubCatalogue } from '#tests/publish/support/stub-catalogue.ts';
import { type Builder, run, type Usage } from './build-usage.ts';
import { HERE } from './commits.ts';
import { generatedProducts } from './generate.ts';
import { compared, type Row } from './table.ts';
import { inTurns } from './turns.ts';

/** Larger shops have no bars for time and memory. */
const LARGEST_WITH_BARS = 10_000;
/** Rupees. No generated product has this price, and no page has these digits elsewhere, such as in a phone number. */
const NEW_PRICE = 817_263;

function reprice(catalogue: StubCatalogue, index: number): string {
  const product = { ...catalogue.products[index], regularPrice: NEW_PRICE, discountedPrice: null };
  catalogue.products = catalogue.products.with(index, product);
  return String(catalogue.products[index]?.id);
}

/** The hash of every file of a built site, keyed by path. */
const filesOf = ({ dist }: Builder): Map<string, string> =>
  new Map(
    globSync('**/*', { cwd: dist, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file, createHash('sha256').update(readFileSync(file)).digest('base64')]),
  );

/** The files that differ from `before` although they do not show the product with its new price. */
function strayChanges(builder: Builder, before: ReadonlyMap<string, string>, id: string): string[] {
  const written = [...filesOf(builder)].filter(([file, hash]) => before.get(file) !== hash);
  return written.flatMap(([file]) => {
    const text = readFileSync(file, 'utf8');
    // Files for filters hold prices without the product's id.
    return text.includes(id) || text.includes(String(NEW_PRICE)) ? [] : [file];
  });
}

async function measure(
  catalogue: StubCatalogue,
  builders: readonly Builder[],
  count: number,
): Promise<Row[]> {
  const eachRuns = async (...command: readonly string[]): Promise<Usage[]> =>
    (await inTurns(builders, 1, (builder) => run(builder, ...command))).flat();
  const bar = (value: number): number | undefined => (count > LARGEST_WITH_BARS ? undefined : value);
  const label = `${count.toLocaleString('en-IN')} products`;
  const row = (what: string, unit: string, limit: number | undefined, values: number[], note = ''): Row =>
    compared({ what: `${label}: ${what}`, unit, bar: limit, note }, values);

  const full = await eachRuns('build', '--', '--fresh');
  const before = builders.map(filesOf);
  const id = reprice(catalogue, Math.floor(count / 2));
  const again = await eachRuns('build');
  const stray = builders.map((builder, index) => strayChanges(builder, before[index] ?? new Map(), id));
  const first = await eachRuns('publish', '--', '--allow-heavy');
  reprice(catalogue, Math.floor(count / 3));
  const published = await eachRuns('publish', '--', '--allow-heavy');
  const back = await eachRuns('publish', '--', '--rollback');
  const shares = again.map(({ cpu }, index) => cpu / (full[index]?.cpu ?? Number.NaN));
  const publishing = published.map(({ gib }, index) => Math.max(gib, first[index]?.gib ?? Number.NaN));
  const strayNames = (stray[0] ?? []).slice(0, 6).join(' ');
  return [
    row(
      'full build, CPU a page',
      'ms',
      bar(3.2),
      full.map(({ cpu }) => cpu / count),
    ),
    row(
      'full build',
      's',
      undefined,
      full.map(({ seconds }) => seconds),
    ),
    row(
      'full build, memory',
      'GiB',
      bar(1),
      full.map(({ gib }) => gib),
    ),
    row('one price changed, share of the CPU', '', bar(0.5), shares),
    row(
      'one price changed, files that do not show it',
      'files',
      0,
      stray.map(({ length }) => length),
      strayNames,
    ),
    row(
      'one price changed, until it is live',
      's',
      bar(20),
      published.map(({ seconds }) => seconds),
    ),
    row('publication, memory', 'GiB', bar(1), publishing),
    row(
      'roll back',
      's',
      5,
      back.map(({ seconds }) => seconds),
    ),
  ];
}

/** Measures full build, rebuild and publication of a generated shop. Pictures are passed through, not encoded. */
export async function measureBuild(count: number, other: string | undefined): Promise<Row[]> {
  const work = mkdtempSync(join(tmpdir(), 'bench-build-'));
  const catalogue = stubCatalogue(0);
  catalogue.products = generatedProducts(count);
  const server = createServer((request, response) => answerStub(catalogue, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const api = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  const builders = [HERE, ...(other ? [other] : [])].map((folder, index): Builder => {
    const dist = join(work, `dist-${index}`);
    const releases = join(work, `releases-${index}`);
    return { folder, dist, work, env: { OUT_DIR: dist, PUBLIC_API_HOST: api, PUBLISH_DIR: releases } };
  });
  try {
    return await measure(catalogue, builders, count);
  } finally {
    server.close();
    server.closeAllConnections();
    rmSync(work, { recursive: true, force: true });
  }
}
