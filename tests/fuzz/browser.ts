import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
import { chromiumArgs, findQuickest } from '#tests/support/find-chromium.ts';
import { ADDRESS } from '#tests/support/shop-client.ts';
import type { Answer } from './answers.ts';
import { type FakeApi, type Plan, startFakeApi } from './fake-api.ts';
import { inspect, isSettled, prepare, type Seed, submitForm } from './in-page.ts';
import type { Facts, FuzzPage } from './pages.ts';

export interface World {
  readonly siteUrl: string;
  readonly apiUrl: string;
  readonly token: string;
  readonly facts: Facts;
  readonly cart: string;
  readonly wishlist: string;
  readonly redirected: (url: URL) => string;
  readonly recorded: Map<string, Promise<Answer>>;
}

export interface Run {
  readonly problems: readonly string[];
  readonly changed: number;
  readonly calls: ReadonlySet<string>;
}

/** Waiting in the page is shortened to a twentieth. */
const SPEED_UP = 20;
const QUIET_MS = 120;
const CALLS_MS = 1_000;
const PATIENCE_MS = 12_000;
const GO_TO_TRIES = 10;
/** What Chromium itself logs for broken responses, and what spec 8 sends to the console. */
const EXPECTED_LOG = [
  /Failed to load resource|blocked by CORS|ERR_/,
  /answered \d|brought no answer/,
  // The policy stops a redirect to another site, and an app can be opened only after a real tap.
  /Connecting to 'https:\/\/evil\.example\/' violates|Not allowed to launch/,
];
const EXPECTED_VIOLATION = /^CSP: connect-src http:\/\/localhost:8044\//;
const WEB_OR_APP = /^(?:https?|upi|gpay|tez|phonepe|paytmmp|bhim):/;

/** Whether a call is made by the page's form, not by the page itself. */
const isFormCall = (call: string): boolean => call.startsWith('POST') || call === 'GET orders/{id}';

/** The parts of a stored cart that no wrong answer may change: the lines and their quantities, not names and prices. */
const identities = (stored: string | null): string => {
  try {
    const lines: unknown = JSON.parse(stored ?? 'null');
    return JSON.stringify(
      Array.isArray(lines)
        ? lines.map(({ id, quantity, selectedSize, selectedColor }) => [
            id,
            quantity,
            selectedSize,
            selectedColor,
          ])
        : lines,
    );
  } catch {
    return 'unreadable';
  }
};

/** One browser with one page, and a fake API for them. */
export class Tester {
  readonly #world: World;
  readonly #api: FakeApi;
  readonly #browser: Browser;
  #context: BrowserContext | undefined;
  #page: Page | undefined;
  #runs = 0;
  #problems: string[] = [];
  #current: FuzzPage | undefined;

  private constructor(world: World, api: FakeApi, browser: Browser) {
    this.#world = world;
    this.#api = api;
    this.#browser = browser;
  }

  static async open(world: World): Promise<Tester> {
    const api = await startFakeApi(world.apiUrl, world.redirected, world.recorded);
    const executablePath = findQuickest();
    const browser = await chromium.launch({
      ...(executablePath ? { executablePath } : {}),
      args: [
        ...chromiumArgs,
        '--disk-cache-size=50000000',
        `--host-resolver-rules=MAP localhost:8044 127.0.0.1:${api.port}, MAP localhost 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
      ],
    });
    return new Tester(world, api, browser);
  }

  async #openPage(): Promise<Page> {
    const { siteUrl, cart, wishlist } = this.#world;
    const context = await this.#browser.newContext({
      viewport: { width: 360, height: 800 },
      isMobile: true,
      hasTouch: true,
      serviceWorkers: 'block',
      reducedMotion: 'reduce',
      locale: 'en-IN',
    });
    const seed: Seed = { run: '', cart, wishlist, draft: JSON.stringify(ADDRESS), speedUp: SPEED_UP };
    await context.addInitScript(prepare, { [new URL(siteUrl).host]: seed });
    const page = await context.newPage();
    page.on('pageerror', (error) => this.#problems.push(`uncaught: ${error.stack ?? error.message}`));
    page.on('crash', () => this.#problems.push('the page crashed'));
    page.on('dialog', (dialog) => {
      this.#problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('console', (message) => {
      if (message.type() === 'error' && !EXPECTED_LOG.some((pattern) => pattern.test(message.text())))
        this.#problems.push(`console: ${message.text().slice(0, 500)}`);
    });
    page.on('request', (request) => {
      const url = request.url();
      if (!request.isNavigationRequest()) {
        if (request.resourceType() === 'script' && !url.startsWith(siteUrl))
          this.#problems.push(`foreign script: ${url}`);
        return;
      }
      if (url.startsWith(siteUrl)) return;
      if (!this.#current?.leaves || !WEB_OR_APP.test(url))
        this.#problems.push(`navigates to ${url.slice(0, 200)}`);
    });
    this.#context = context;
    this.#page = page;
    return page;
  }

  async #settle(page: Page, quiet = QUIET_MS, patience = PATIENCE_MS): Promise<void> {
    const end = Date.now() + patience;
    while (Date.now() < end) {
      try {
        await page.waitForFunction(isSettled, quiet, { polling: 40, timeout: end - Date.now() });
        return;
      } catch (error) {
        // The page was left meanwhile: wait for the document of the next one.
        if (!/context was destroyed|navigat/i.test(String(error))) break;
      }
    }
    if (!page.url().startsWith(this.#world.siteUrl)) return;
    this.#problems.push(`did not come to rest in ${patience / 1_000} s`);
  }

  /** Waits, but not for long, until the page has made its usual calls. After a refusal it may never make them. */
  async #awaitCalls(page: Page, calls: readonly string[]): Promise<void> {
    const end = Date.now() + CALLS_MS;
    const hasCalled = () => calls.every((call) => this.#api.calls().has(call));
    while (!hasCalled() && Date.now() < end) await page.waitForTimeout(20);
  }

  /**
   * Opens a page while its answers are changed as planned, sends its form, and judges what the page has become.
   * @param calls the calls that the page makes when nothing disturbs it
   * @param fresh opens a new browser context, in which nothing of an earlier case is left
   */
  async run(
    fuzzed: FuzzPage,
    plan: Plan,
    {
      calls = [],
      quiet = QUIET_MS,
      patience = PATIENCE_MS,
      fresh = false,
    }: { calls?: readonly string[]; quiet?: number; patience?: number; fresh?: boolean } = {},
  ): Promise<Run> {
    if (fresh) await this.#closePage();
    const page = this.#page ?? (await this.#openPage());
    const { siteUrl, token, facts } = this.#world;
    this.#runs += 1;
    this.#problems = [];
    this.#current = fuzzed;
    this.#api.follow(plan);
    const cookie = (name: string, value: string) => ({ name, value, url: siteUrl, sameSite: 'Lax' as const });
    await this.#context?.clearCookies();
    await this.#context?.addCookies([
      cookie('fuzz-run', String(this.#runs)),
      ...(fuzzed.signedIn ? [cookie('auth_token', token)] : []),
    ]);
    await this.#goTo(page, siteUrl + fuzzed.path(facts));
    const { form } = fuzzed;
    if (!form) await this.#awaitCalls(page, calls);
    await this.#settle(page, quiet, patience);
    if (form && (await this.#inPage(page, () => page.evaluate(submitForm, form(facts))))) {
      await this.#awaitCalls(page, calls.filter(isFormCall));
      await this.#settle(page, quiet, patience);
    }
    await this.#judge(page);
    return { problems: this.#problems, changed: this.#api.changed(), calls: this.#api.calls() };
  }

  /** Opens an address. Tries again when the page of the case before is just leaving and interrupts this navigation. */
  async #goTo(page: Page, address: string): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await page.goto(address, { waitUntil: 'commit' });
        return;
      } catch (error) {
        if (tries === GO_TO_TRIES) throw error;
        // No event says when the page before has left.
        await page.waitForTimeout(100 * tries);
      }
    }
  }

  async #inPage<Value>(page: Page, work: () => Promise<Value>): Promise<Value | undefined> {
    for (let tries = 0; tries < 5 && page.url().startsWith(this.#world.siteUrl); tries += 1) {
      try {
        return await work();
      } catch (error) {
        if (!/context was destroyed|navigat/i.test(String(error))) throw error;
        await this.#settle(page);
      }
    }
    return undefined;
  }

  async #judge(page: Page): Promise<void> {
    const seen = await this.#inPage(page, () => page.evaluate(inspect));
    if (!seen) return;
    this.#problems.push(...seen.problems.filter((problem) => !EXPECTED_VIOLATION.test(problem)));
    const mayBeOrdered = this.#api.calls().has('POST orders');
    const cart = identities(seen.cart);
    if (cart === identities(this.#world.cart) || (mayBeOrdered && cart === '[]')) return;
    this.#problems.push(`the cart became ${seen.cart?.slice(0, 300)}`);
  }

  async #closePage(): Promise<void> {
    await this.#context?.close();
    this.#context = undefined;
    this.#page = undefined;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#api.close();
  }
}
