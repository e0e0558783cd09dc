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
  /** How many pages all testers together open. */
  readonly cases: number;
  readonly testers: number;
  /** The path of a counterexample, as it was printed: only this case is run. */
  readonly path?: string | undefined;
  /** The names of the pages to open; all if not given. */
  readonly pages?: readonly string[];
  readonly log?: (line: string) => void;
}

/** The recording is done once and must miss no call, so it waits long, even on a machine that stalls. */
const RECORDING = { quiet: 600, patience: 120_000, fresh: true };

async function openWorld(site: string): Promise<World & { close: () => Promise<void> }> {
  const server = await serveSite({ directory: site, host: '127.0.0.1' });
  const api = await startTestApi({ siteOrigins: [server.url] });
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
    siteUrl: server.url,
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
      await Promise.all([server.close(), api.close()]);
    },
  };
}

/** Opens each page undisturbed. Returns the calls that it makes; their real answers are recorded meanwhile. */
async function recordPages(
  tester: Tester,
  pages: readonly FuzzPage[],
  log: (line: string) => void,
): Promise<Map<FuzzPage, string[]>> {
  const recorded = new Map<FuzzPage, string[]>();
  for (const page of pages) {
    const { problems, calls } = await tester.run(page, new Map(), RECORDING);
    if (problems.length > 0) throw new Error(`Undisturbed, ${page.name} is broken:\n${problems.join('\n')}`);
    if (calls.size > 0) recorded.set(page, [...calls].toSorted());
    else if (page.form) throw new Error(`Undisturbed, ${page.name} asked the API nothing.`);
    log(`${page.name}: ${[...calls].join(', ')}`);
  }
  return recorded;
}

/** The name of a page, and changes of the answers to some of its calls, each with the place of its call in the list. */
const casesOf = (pages: readonly FuzzPage[]) =>
  fc.record({
    name: fc.constantFrom(...pages.map(({ name }) => name)),
    changes: fc.array(fc.tuple(fc.nat(9), answerChange), { minLength: 1, maxLength: 5 }),
  });

/**
 * Opens pages while the API's answers are changed, and checks each page as tests/spec/faults.md demands 'after every
 * case'. The first tester has the given seed, the next ones the numbers after it.
 * @throws Error with fast-check's shrunk counterexamples
 */
export async function fuzzAnswers(options: FuzzOptions): Promise<{ changedAnswers: number }> {
  const { seed, path, log = () => {} } = options;
  const world = await openWorld(options.site);
  const testers = await Promise.all(Array.from({ length: options.testers }, () => Tester.open(world)));
  let changedAnswers = 0;
  try {
    const [first] = testers;
    if (!first) throw new Error('There must be a tester.');
    const pages = PAGES.filter(({ name }) => options.pages?.includes(name) ?? true);
    const recorded = await recordPages(first, pages, log);
    const cases = casesOf([...recorded.keys()]);
    const fuzz = async (tester: Tester, nth: number): Promise<void> => {
      const property = fc.asyncProperty(cases, async ({ name, changes }) => {
        const [page, calls] = [...recorded].find(([candidate]) => candidate.name === name) ?? [];
        if (!page || !calls) throw new Error(`There is no page '${name}'.`);
        const plan = new Map(
          changes.map(([place, change]) => [calls[place % calls.length] ?? '', change] as const),
        );
        const { problems, changed } = await tester.run(page, plan, { calls });
        changedAnswers += changed;
        if (problems.length === 0) return;
        const again = await tester.run(page, plan, { calls, quiet: RECORDING.quiet, fresh: true });
        if (again.problems.length > 0) throw new Error([...plan.keys(), ...again.problems].join('\n'));
        log(`Not seen again in a fresh browser, ${name}: ${problems.join('\n    ')}`);
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
