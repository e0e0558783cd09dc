import { toLine } from '#domain/cart.ts';
import { serveSite } from '#scripts/serve/server.ts';
import { startTestApi } from '#tests/support/api.ts';
import { createShopClient } from '#tests/support/shop-client.ts';
import { chooseMutation, type Mutation } from './answers.ts';
import { describeCase, Tester, type World } from './browser.ts';
import { callOf } from './fake-api.ts';
import { type FuzzPage, NEW_CATEGORY, NEW_PRODUCT, PAGES } from './pages.ts';
import { createRandom } from './random.ts';

export interface Finding {
  readonly seed: number;
  readonly number: number;
  readonly page: string;
  readonly mutations: string;
  readonly problems: readonly string[];
}

export interface FuzzResult {
  readonly cases: number;
  readonly changedAnswers: number;
  readonly seconds: number;
  readonly findings: readonly Finding[];
}

export interface FuzzOptions {
  readonly site: string;
  readonly seed: number;
  /** Ends when so many answers were changed. */
  readonly answers: number;
  readonly testers: number;
  /** Only pages of these names. */
  readonly pages?: readonly string[];
  /** Only this case. */
  readonly only?: number;
  readonly told?: (line: string) => void;
}

/** Changes to one case's answers: to each call of the page with this likelihood, at least to one. */
const LIKELY = 0.6;
/** Recording is done once, must miss nothing, and must not fail where the machine stalls. */
const RECORDING = { quiet: 600, patience: 120_000, fresh: true };

async function openWorld(site: string): Promise<World & { close: () => Promise<void> }> {
  const served = await serveSite({ directory: site, host: '127.0.0.1' });
  const api = await startTestApi({ siteOrigins: [served.url] });
  const client = createShopClient(api);
  const shopper = await client.newSignedIn();
  const plain = await client.product(
    ({ price, sizes, colors }) => price > 0 && sizes.length + colors.length === 0,
  );
  const sized = await client.product(({ price, sizes }) => price > 0 && sizes.length > 1);
  const order = await client.order(shopper);
  await client.order(shopper, { status: 'shipped' });
  const lines = [
    toLine(plain, { size: '', color: '', quantity: 2 }),
    toLine(sized, { size: sized.sizes[0] ?? '', color: sized.colors[0] ?? '', quantity: 1 }),
  ];
  const redirected = (url: URL): string => {
    if (url.pathname.endsWith(`/products/${NEW_PRODUCT}`)) return url.pathname.replace(NEW_PRODUCT, sized.id);
    if (url.searchParams.get('parentCategory') === NEW_CATEGORY) return `${url.pathname}?page=1&limit=12`;
    return url.pathname + url.search;
  };
  const { id, name, price, image, category, sizes, colors } = plain;
  return {
    siteUrl: served.url,
    apiUrl: api.url,
    token: shopper.token,
    facts: {
      productId: sized.id,
      category: sized.category,
      orderId: order.id,
      email: shopper.email,
      password: shopper.password,
    },
    cart: JSON.stringify(lines),
    wishlist: JSON.stringify([{ id, name, price, image, category, sizes, colors, tint: 'tint-1' }]),
    redirected,
    recorded: new Map(),
    close: async () => {
      await Promise.all([served.close(), api.close()]);
    },
  };
}

/** The page's calls with their real answers, as an undisturbed visit makes them. */
async function recordPages(
  tester: Tester,
  world: World,
  pages: readonly FuzzPage[],
  told: (line: string) => void,
): Promise<Map<FuzzPage, Map<string, Buffer>>> {
  const recorded = new Map<FuzzPage, Map<string, Buffer>>();
  for (const page of pages) {
    const { problems, asked } = await tester.run(page, [], RECORDING);
    if (problems.length > 0) throw new Error(`Undisturbed, ${page.name} is broken:\n${problems.join('\n')}`);
    const bodies = new Map<string, Buffer>();
    for (const [key, answer] of world.recorded) {
      const [method = '', path = ''] = key.split(' ');
      const call = callOf(method, new URL(path, world.apiUrl));
      if (asked.has(call)) bodies.set(call, (await answer).body);
    }
    if (bodies.size === 0 && page.form) throw new Error(`Undisturbed, ${page.name} asked the API nothing.`);
    recorded.set(page, bodies);
    told(`${page.name}: ${[...bodies.keys()].join(', ')}`);
  }
  return recorded;
}

/** Case number n is the same for the same seed, whoever runs it and whatever ran before. */
function makeCase(
  seed: number,
  number: number,
  pages: Map<FuzzPage, Map<string, Buffer>>,
): { page: FuzzPage; mutations: Mutation[] } {
  const random = createRandom(seed, number);
  const asking = [...pages].filter(([, calls]) => calls.size > 0);
  const [page, calls] = random.pick(asking);
  const chosen = [...calls].filter(() => random.chance(LIKELY));
  const changed = chosen.length > 0 ? chosen : [random.pick([...calls])];
  return { page, mutations: changed.map(([call, body]) => chooseMutation(random, call, body)) };
}

/** The one mutation that is enough, or all of them; nothing where it does not happen again. */
async function shrink(tester: Tester, page: FuzzPage, mutations: readonly Mutation[]) {
  for (const mutation of mutations) {
    const { problems } = await tester.run(page, [mutation], { fresh: true });
    if (problems.length > 0) return { mutations: [mutation], problems };
  }
  const { problems } = await tester.run(page, mutations, { fresh: true });
  return problems.length > 0 ? { mutations, problems } : undefined;
}

/** Opens pages whose API answers wrongly, and looks at each as `faults.md` demands 'after every case'. */
export async function fuzzAnswers(options: FuzzOptions): Promise<FuzzResult> {
  const { seed, told = () => {} } = options;
  const world = await openWorld(options.site);
  const testers = await Promise.all(Array.from({ length: options.testers }, () => Tester.open(world)));
  const findings: Finding[] = [];
  let [cases, changedAnswers, next, unrepeated] = [0, 0, 0, 0];
  try {
    const [first] = testers;
    if (!first) throw new Error('There must be a tester.');
    const wanted = PAGES.filter(({ name }) => options.pages?.includes(name) ?? true);
    const pages = await recordPages(first, world, wanted, told);
    const started = performance.now();
    const work = async (tester: Tester): Promise<void> => {
      while (changedAnswers < options.answers) {
        const number = options.only ?? next;
        next += 1;
        if (options.only !== undefined && next > 1) return;
        const { page, mutations } = makeCase(seed, number, pages);
        const run = await tester.run(page, mutations, { calls: [...(pages.get(page)?.keys() ?? [])] });
        cases += 1;
        changedAnswers += run.changed;
        if (run.problems.length > 0) {
          const shrunk = await shrink(tester, page, mutations);
          if (!shrunk) {
            unrepeated += 1;
            told(
              `case ${number} not seen again: ${describeCase(page, mutations)}\n    ${run.problems.join('\n    ')}`,
            );
            continue;
          }
          const finding = {
            seed,
            number,
            page: page.name,
            mutations: describeCase(page, shrunk.mutations),
            problems: shrunk.problems,
          };
          findings.push(finding);
          told(`seed ${seed} case ${number}  ${finding.mutations}\n    ${finding.problems.join('\n    ')}`);
        }
        if (cases % 500 === 0) {
          const rate = (cases / (performance.now() - started)) * 1_000;
          told(
            `${cases} cases, ${changedAnswers} changed answers, ${findings.length} findings, ${rate.toFixed(1)}/s`,
          );
        }
      }
    };
    await Promise.all(testers.map(work));
    if (unrepeated > 0) told(`${unrepeated} cases failed once and not again`);
    return { cases, changedAnswers, seconds: (performance.now() - started) / 1_000, findings };
  } finally {
    await Promise.all(testers.map((tester) => tester.close()));
    await world.close();
  }
}
