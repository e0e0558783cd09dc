import fc from 'fast-check';
import { toLine } from '#domain/cart.ts';
import { serveSite } from '#scripts/serve/server.ts';
import { startTestApi } from '#tests/support/api.ts';
import { createShopClient } from '#tests/support/shop-client.ts';
import { answerChange } from './answers.ts';
import { Tester, type World } from './browser.ts';
import { type FuzzPage, NEW_CATEGORY, NEW_PRODUCT, PAGES } from './pages.ts';

export interface FuzzOptions {
  readonly site: string;
  readonly seed: number;
  /** How many pages are opened, by all testers together. */
  readonly cases: number;
  readonly testers: number;
  /** Of a counterexample, as it was printed: only this case is run. */
  readonly path?: string | undefined;
  /** Only pages of these names. */
  readonly pages?: readonly string[];
  readonly tell?: (line: string) => void;
}

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

/** The calls that each page makes when nothing disturbs it; their real answers are recorded by then. */
async function recordPages(
  tester: Tester,
  pages: readonly FuzzPage[],
  tell: (line: string) => void,
): Promise<Map<FuzzPage, string[]>> {
  const recorded = new Map<FuzzPage, string[]>();
  for (const page of pages) {
    const { problems, asked } = await tester.run(page, new Map(), RECORDING);
    if (problems.length > 0) throw new Error(`Undisturbed, ${page.name} is broken:\n${problems.join('\n')}`);
    if (asked.size > 0) recorded.set(page, [...asked].toSorted());
    else if (page.form) throw new Error(`Undisturbed, ${page.name} asked the API nothing.`);
    tell(`${page.name}: ${[...asked].join(', ')}`);
  }
  return recorded;
}

/** A page by its name, and changes of the answers to some of its calls, each by its place among them. */
const casesOf = (pages: readonly FuzzPage[]) =>
  fc.record({
    name: fc.constantFrom(...pages.map(({ name }) => name)),
    changes: fc.array(fc.tuple(fc.nat(9), answerChange), { minLength: 1, maxLength: 5 }),
  });

/**
 * Opens pages whose API answers wrongly, and looks at each as tests/spec/faults.md demands 'after every case'. Every
 * tester has a seed of its own, counted up from the one that is given.
 * @throws Error with fast-check's counterexamples, shrunk
 */
export async function fuzzAnswers(options: FuzzOptions): Promise<{ changedAnswers: number }> {
  const { seed, path, tell = () => {} } = options;
  const world = await openWorld(options.site);
  const testers = await Promise.all(Array.from({ length: options.testers }, () => Tester.open(world)));
  let changedAnswers = 0;
  try {
    const [first] = testers;
    if (!first) throw new Error('There must be a tester.');
    const wanted = PAGES.filter(({ name }) => options.pages?.includes(name) ?? true);
    const recorded = await recordPages(first, wanted, tell);
    const cases = casesOf([...recorded.keys()]);
    const fuzz = async (tester: Tester, nth: number): Promise<void> => {
      const property = fc.asyncProperty(cases, async ({ name, changes }) => {
        const [page, calls] = [...recorded].find(([each]) => each.name === name) ?? [];
        if (!page || !calls) throw new Error(`There is no page '${name}'.`);
        const plan = new Map(
          changes.map(([place, change]) => [calls[place % calls.length] ?? '', change] as const),
        );
        const { problems, changed } = await tester.run(page, plan, { calls });
        changedAnswers += changed;
        if (problems.length === 0) return;
        const again = await tester.run(page, plan, { calls, quiet: RECORDING.quiet, fresh: true });
        if (again.problems.length > 0) throw new Error([...plan.keys(), ...again.problems].join('\n'));
        tell(`Not seen again in a fresh browser, ${name}: ${problems.join('\n    ')}`);
      });
      const numRuns = Math.ceil(options.cases / testers.length);
      await fc.assert(property, {
        seed: seed + nth,
        numRuns,
        includeErrorInReport: true,
        ...(path === undefined ? {} : { path }),
      });
    };
    const runs = await Promise.allSettled(testers.map(fuzz));
    const failures = runs.flatMap((run) => (run.status === 'rejected' ? [run.reason] : []));
    if (failures.length > 0) throw new Error(failures.map(String).join('\n\n'));
    return { changedAnswers };
  } finally {
    await Promise.all(testers.map((tester) => tester.close()));
    await world.close();
  }
}
