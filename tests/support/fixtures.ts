import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright/test';
import { test as base, expect as baseExpect } from 'playwright/test';
import { type Cart, toLine } from '#domain/cart.ts';
import { serveSite } from '#scripts/serve/server.ts';
import type { RunningApi } from '#server/app/start.ts';
import { startTestApi } from './api.ts';
import { testSite } from './build-site.ts';
import { chromiumArgs, findChromium, findQuickest } from './find-chromium.ts';
import { createMailServer, type Received } from './mail-server.ts';
import { FAKES, type FakeWithPages, startWithPages } from './providers/pages.ts';
import { startPublishedShop } from './published-shop.ts';
import { isPlain } from './samples.ts';
import { createShopClient, type ShopClient, type SignedIn } from './shop-client.ts';

export type Services = {
  /** The site's address. `page.goto('/cart')` works without it. */
  url: string;
  /** The API's real address; pages know it as http://localhost:8044. */
  apiUrl: string;
  api: RunningApi;
  /** The folder that is served. A test with `ownSite` may change it. */
  directory: string;
  /** The fakes of the providers of payments, by name, for tests with `takesMoney`. */
  fakes: ReadonlyMap<string, FakeWithPages>;
  /** Waits for an email to this address with such a subject. Returns the newest. */
  email: (to: string, subject: RegExp) => Promise<Received | undefined>;
};

type WorkerFixtures = {
  /** The built site and an API for the tests of this worker. */
  shop: Services;
  /** Playwright switches the back/forward cache off unless this is true, and the headless shell has none. */
  backForwardCache: boolean;
  /** Serves a copy of the site, for tests that change it. */
  ownSite: boolean;
  /** Publishes the site, and lets the admin publish it again. */
  publishes: boolean;
  /** The shop is paid by Razorpay, Cashfree, in cash and in the sandbox. */
  takesMoney: boolean;
  /** For tests that change what is on sale. Playwright then gives them a worker, and so an API, of their own. */
  changesCatalogue: boolean;
};

type TestFixtures = {
  /** Does by HTTP what a test need not click through. */
  api: ShopClient;
  /** A new account whose token cookie the browser holds. */
  signedInShopper: SignedIn;
  /** A cart with two of a product without options; it is in localStorage before the first page opens. */
  filledCart: Cart;
  /** Puts a cart into localStorage before the first page opens. */
  fillCart: (lines: Cart) => Promise<void>;
  /** Allows console errors that match. Every other console error fails the test. */
  allowConsoleErrors: ReturnType<typeof guardConsole>['allow'];
};

export const expect = baseExpect;

export const test = base.extend<TestFixtures, WorkerFixtures>({
  backForwardCache: [false, { scope: 'worker', option: true }],
  ownSite: [false, { scope: 'worker', option: true }],
  publishes: [false, { scope: 'worker', option: true }],
  changesCatalogue: [false, { scope: 'worker', option: true }],
  takesMoney: [false, { scope: 'worker', option: true }],

  shop: [
    async ({ ownSite, publishes, takesMoney }, use) => {
      if (publishes) {
        const { shop, close } = await startPublishedShop();
        await use({ ...shop, fakes: new Map(), email: async () => undefined });
        return close();
      }
      const copy = ownSite ? await mkdtemp(join(tmpdir(), 'shop-')) : undefined;
      if (copy) await cp(testSite, copy, { recursive: true });
      const directory = copy ?? testSite;
      const site = await serveSite({ directory, host: '127.0.0.1' });
      let apiUrl = '';
      const names = takesMoney ? Object.keys(FAKES) : [];
      const fakes = new Map(
        await Promise.all(
          names.map(async (name) => [name, await startWithPages(name, () => apiUrl)] as const),
        ),
      );
      const mailServer = createMailServer();
      await mailServer.open();
      const email: Services['email'] = async (to, wanted) => {
        const find = () =>
          mailServer.received.findLast(
            ({ recipients, subject = '' }) => recipients.includes(to) && wanted.test(subject),
          );
        await baseExpect.poll(find, `the email ${wanted} to ${to}`).toBeDefined();
        return find();
      };
      const settings = [...fakes.values()].map(({ provider }) => provider.environment);
      const api = await startTestApi({
        siteOrigins: [site.url],
        mail: { via: 'smtp', url: mailServer.address(), from: 'orders@shop.example' },
        ...(takesMoney
          ? { paymentProviders: [...names, 'cod', 'sandbox'], environment: Object.assign({}, ...settings) }
          : {}),
      });
      apiUrl = api.url;
      await use({ url: site.url, apiUrl, api, directory, fakes, email });
      await Promise.all([
        site.close(),
        api.close(),
        mailServer.close(),
        ...[...fakes.values()].map(({ close }) => close()),
      ]);
      if (copy) await rm(copy, { recursive: true });
    },
    // It may build a site. The limit is for what hangs.
    { scope: 'worker', timeout: 900_000 },
  ],

  launchOptions: [
    async ({ shop, backForwardCache }, use) => {
      const executablePath = backForwardCache ? findChromium() : findQuickest();
      await use({
        args: [...chromiumArgs, `--host-resolver-rules=MAP localhost:8044 ${new URL(shop.apiUrl).host}`],
        ...(executablePath ? { executablePath } : {}),
        ...(backForwardCache ? { ignoreDefaultArgs: ['--disable-back-forward-cache'] } : {}),
      });
    },
    { scope: 'worker' },
  ],

  baseURL: async ({ shop }, use) => use(shop.url),

  api: async ({ shop }, use) => use(createShopClient(shop.api)),

  allowConsoleErrors: [
    async ({ context }, use) => {
      const guard = guardConsole(context);
      await context.addInitScript(restOnNotices);
      await use(guard.allow);
      // The last page may still send requests, whose handlers would fail when it closes.
      await Promise.all(
        [context, ...context.pages()].map((each) => each.unrouteAll({ behavior: 'ignoreErrors' })),
      );
      baseExpect(guard.unexpected(), 'unexpected errors on the console').toEqual([]);
    },
    { auto: true },
  ],

  signedInShopper: async ({ context, shop, api }, use) => {
    const shopper = await api.newSignedIn();
    await context.addCookies([{ name: 'auth_token', value: shopper.token, url: shop.url, sameSite: 'Lax' }]);
    await use(shopper);
  },

  fillCart: async ({ context, shop }, use) => {
    await use(async (lines) => {
      const { cookies, origins } = await context.storageState();
      const cart = { origin: shop.url, localStorage: [{ name: 'cart', value: JSON.stringify(lines) }] };
      await context.setStorageState({ cookies, origins: [...origins, cart] });
    });
  },

  filledCart: async ({ api, fillCart }, use) => {
    const lines = [toLine(await api.product(isPlain), { size: '', color: '', quantity: 2 })];
    await fillCart(lines);
    await use(lines);
  },
});

/**
 * Keeps a pointer on the notices, so that they stay. On a busy machine they could disappear between two steps of a
 * test.
 */
const restOnNotices = (): void =>
  addEventListener('DOMContentLoaded', () => {
    const region = document.querySelector('[data-toasts]');
    const observer = new MutationObserver(() => region?.dispatchEvent(new Event('pointerenter')));
    if (region) observer.observe(region, { childList: true, subtree: true });
    region?.addEventListener('pointerleave', () => observer.disconnect());
  });

/** What Chromium itself logs when a response has a status from 400 or never comes, also for a worker's script. */
export const FAILED_REQUEST = /Failed to load resource|An unknown error occurred when fetching the script/;

/** Collects console errors, uncaught exceptions and unhandled rejections on every page. */
const guardConsole = (context: BrowserContext) => {
  const errors: string[] = [];
  const allowed: RegExp[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (webError) => {
    const error = webError.error();
    errors.push(
      `${error.stack || `${error.name}: ${error.message}`} (${webError.page()?.url() ?? 'no page'})`,
    );
  });
  return {
    /** Errors that match are expected from now on. */
    allow: (...patterns: RegExp[]): void => void allowed.push(...patterns),
    /** The errors that no pattern allows, each with the address of its page. */
    unexpected: () => errors.filter((error) => !allowed.some((pattern) => pattern.test(error))),
  };
};
