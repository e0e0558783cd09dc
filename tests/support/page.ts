import type { BrowserContext, Page, Route } from 'playwright/test';
import { API } from './api-address.ts';
import { expect, type Services } from './fixtures.ts';
import { ADDRESS, type ShopClient, type Shopper, type SignedIn } from './shop-client.ts';

/** Signs in on /login by its button. */
export async function signInHere(
  page: Page,
  { email, password }: Pick<Shopper, 'email' | 'password'>,
): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

export const payNow = (page: Page) => page.getByRole('button', { name: 'Pay Now' });

/** Opens the payment page of a new order, and returns the order's id. */
export async function openPayment(page: Page, api: ShopClient, shopper: SignedIn): Promise<string> {
  const { id } = await api.order(shopper);
  await page.goto(`/payment?orderId=${id}`);
  return id;
}

/** Holds back the answers of an address. Returns a function that releases them. */
export async function hold(
  page: Page,
  url: string | RegExp,
  answer: (route: Route) => Promise<void> = (route) => route.continue(),
): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await promise;
    await answer(route);
  });
  return resolve;
}

/** A page's last own request is for the date of the catalogue in its footer. The sign-in pages do not send it. */
export async function untilQuiet(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/build-info.json')),
  );
}

/** Lets notices disappear again (`restOnNotices` in fixtures.ts). */
export const leaveNotices = (page: Page): Promise<void> =>
  page.locator('[data-toasts]').dispatchEvent('pointerleave');

/** Waits until the page has painted what the responses so far have changed. */
export const untilPainted = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise<void>((painted) => requestAnimationFrame(() => requestAnimationFrame(() => painted()))),
  );

export const ORDERS = `${API}/orders`;

export const fillAddress = async (page: Page, change: Partial<typeof ADDRESS> = {}): Promise<void> => {
  for (const [name, text] of Object.entries({ ...ADDRESS, ...change }))
    await page.locator(`#${name}`).fill(text);
};

export const createOrderButton = (page: Page) => page.getByRole('button', { name: 'Create Order' });

/** Opens the checkout, fills it in and clicks Create Order. Does not wait for the result. */
export const placeOrder = async (page: Page): Promise<void> => {
  await page.goto('/checkout');
  await fillAddress(page);
  await createOrderButton(page).click();
};

export const isPost = (route: Route): boolean => route.request().method() === 'POST';

/** The API gets the order, but the page gets no response. */
export const loseAnswer = async (route: Route, shop: Services): Promise<void> => {
  await route.fetch({ url: `${shop.apiUrl}${new URL(route.request().url()).pathname}` });
  await route.abort('connectionreset');
};

/** Sends the calls that match after the first paint of their page. */
export const callAfterPaint = (context: BrowserContext, calls: string) =>
  context.route(calls, async (route) => {
    const isPainted = () => performance.getEntriesByName('first-contentful-paint').length > 0;
    // The page may have gone.
    await route
      .request()
      .frame()
      .waitForFunction(isPainted)
      .catch(() => undefined);
    await route.fallback().catch(() => undefined);
  });

/** Opens the checkout in a new tab. */
export const openCheckout = async (context: BrowserContext): Promise<Page> => {
  const page = await context.newPage();
  await page.goto('/checkout');
  await expect(createOrderButton(page)).toBeVisible();
  return page;
};

/** Takes from a page what one of the oldest served browsers lacks (`browserslist` in package.json). */
export const useOldBrowser = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const missing: [object, string[]][] = [
      [HTMLElement.prototype, ['popover', 'showPopover', 'hidePopover', 'togglePopover']],
      [Element.prototype, ['ariaBusy', 'ariaExpanded', 'role']],
      [Document.prototype, ['startViewTransition']],
      [URL, ['parse', 'canParse']],
      [AbortSignal, ['any']],
      [Promise, ['try', 'withResolvers']],
      [Array, ['fromAsync']],
      [Array.prototype, ['toReversed', 'toSorted', 'toSpliced', 'with']],
      [String.prototype, ['isWellFormed', 'toWellFormed']],
      [Set.prototype, ['difference', 'intersection', 'isSubsetOf', 'union']],
      [Object, ['groupBy']],
      [Map, ['groupBy']],
      [globalThis, ['cookieStore', 'Iterator', 'navigation', 'requestIdleCallback', 'scheduler']],
    ];
    for (const [owner, names] of missing) for (const name of names) Reflect.deleteProperty(owner, name);
    new MutationObserver(() => document.querySelector('[popover]')?.removeAttribute('popover')).observe(
      document,
      { childList: true, subtree: true },
    );
  });
