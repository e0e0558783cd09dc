import type { Cookie, Page, Request } from 'playwright/test';
import { ADMIN_PAGES } from '#server/app/admin-pages.tsx';
import { categories } from '#server/catalogue/categories/stored-categories.ts';
import { storedProducts } from '#server/catalogue/stored-products.ts';
import { recordPayment } from '#server/ledger/book.ts';
import { readSettings } from '#server/settings/settings.ts';
import { firstValue, runSql } from '#tests/server/support/rows.ts';
import { ADMIN_URL, addToStaff, enterAdmin, expectFits } from '#tests/support/admin.ts';
import { expect, type Services, test } from '#tests/support/fixtures.ts';
import type { ShopClient } from '#tests/support/shop-client.ts';

/** Pages are sent uncompressed: they hold secrets beside text that shoppers wrote. */
const MAX_BYTES = 27 * 1_024;
/** Not images: their size is the catalogue's, and thumbnails load lazily. */
const COUNTED = /^(?:document|stylesheet|script|font)$/;

/** A date field takes more than one Tab. */
const INSIDE_FIELDS = 16;

/** Files, data for a script, and a redirect. */
const NO_PAGES = new Set([
  '/assets/:name',
  '/catalogue/thumbnails/:name',
  '/store/phone-part',
  '/catalogue/prices.csv',
  '/emails/:kind/:language',
  '/publish/progress',
  '/orders/search',
  '/orders/batches/:id/csv',
]);

type AddressOf = Awaited<ReturnType<typeof makeAddresses>>;

/** The addresses of a worker's shop and the cookies of its owner, made once. */
const known = new WeakMap<Services, { addressOf: AddressOf; cookies: Cookie[] }>();

/** Signs in as the owner. Returns the addresses. */
async function enterOnce(page: Page, shop: Services, client: ShopClient): Promise<AddressOf> {
  const found = known.get(shop);
  if (found) await page.context().addCookies(found.cookies);
  else await enterAdmin(page, shop, 'owner');
  const addressOf = found?.addressOf ?? (await makeAddresses(page, shop, client));
  known.set(shop, { addressOf, cookies: await page.context().cookies() });
  return addressOf;
}

/** Returns the address of a path of the admin with a parameter or a query. */
async function makeAddresses(page: Page, { api }: Services, client: ShopClient) {
  const idOf = async (from: string): Promise<string> =>
    String(await firstValue(api.db, `SELECT id FROM ${from} LIMIT 1`));
  const shopper = await client.newSignedIn();
  const order = await client.order(shopper, { status: 'pending' });
  await client.pay(shopper, order.id);
  const shipped = await client.order(shopper, { status: 'shipped' });
  const processed = await client.order(shopper, { status: 'pending' });
  await page.goto(`${ADMIN_URL}/orders/${processed.id}`);
  await page.getByRole('button', { name: 'Mark as processing' }).click();
  await expect(page.getByRole('status')).toBeVisible();
  const returned = await client.order(shopper, { status: 'delivered' });
  const goods = { reason: 'It was not ripe.', lines: [{ line: '0', quantity: 1 }] };
  await client.ask(`orders/${returned.id}/returns`, goods, shopper.token);
  await page.goto(`${ADMIN_URL}/orders`);
  await page.locator('input[name="order"]').first().check();
  await page.getByRole('button', { name: 'Mark as shipped' }).first().click();
  await page.waitForURL('**/orders/batches/*');
  const batch = page.url().split('/').at(-1);
  const paidRow = await idOf("movements WHERE kind = 'payment'");
  const services = { settings: readSettings({}), clock: Date.now };
  const book = { services, orderNumber: 1, recordedBy: 'owner' };
  const transfer = { way: 'bank_transfer', paise: 100 };
  const booked = await api.db.write((transaction) => recordPayment({ transaction, ...book }, transfer));
  await runSql(api.db, 'UPDATE movements SET needs_review = 1 WHERE id = ?', paidRow);
  await runSql(api.db, 'UPDATE orders SET paid_at_door = 1 WHERE id = ?', processed.id);
  const [product] = await storedProducts(api.db);
  const [category] = await categories(api.db);
  /** The first that matches counts. */
  const ids: readonly (readonly [path: RegExp, id: string | undefined])[] = [
    [/^\/catalogue\/products\//, product?.product.id],
    [/^\/customers\//, await idOf(`customers WHERE email = '${shopper.email}'`)],
    [/^\/orders\/batches\//, batch],
    [/^\/orders\/returns\//, await idOf('returns')],
    [/^\/orders\/:id\/(?:lost|returned-to-origin)$/, shipped.id],
    [/^\/orders\/:id\/(?:take-back|write-off|not-at-the-door)$/, processed.id],
    [/^\/orders\//, order.id],
    [/^\/policies\//, 'terms'],
    [/^\/staff\//, await idOf('staff')],
  ];
  const name = new URLSearchParams({ name: category?.name ?? '' });
  return (path: string): string =>
    path
      .replace(/:(?:id|slug)/, (given) => ids.find(([pattern]) => pattern.test(path))?.[1] ?? given)
      .replace(':row', path.endsWith('/review') ? paidRow : booked.id)
      .replace(/^\/store\/categories\/edit$/, `$&?${name}`);
}

/** What the browser receives for a page that is not in its cache. Units: bytes as sent. */
async function weigh(page: Page, address: string): Promise<number> {
  const requests: Request[] = [];
  const note = (request: Request) => void requests.push(request);
  page.on('requestfinished', note);
  // A route disables the browser's cache, which has the style sheet of the page before.
  await page.route('**/*', (route) => route.continue());
  await page.goto(address, { waitUntil: 'load' });
  page.off('requestfinished', note);
  const counted = requests.filter((request) => COUNTED.test(request.resourceType()));
  const sizes = await Promise.all(counted.map((request) => request.sizes()));
  return sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
}

/** Visible controls that Tab did not reach. */
async function unreached(page: Page): Promise<string[]> {
  const count = await page.evaluate(() => {
    const all = [...document.querySelectorAll('a[href], button, input, select, textarea, summary')];
    const open = all.filter((one) => one.checkVisibility() && one.getAttribute('tabindex') !== '-1');
    for (const one of open) one.setAttribute('data-unreached', '');
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    document.addEventListener('focusin', ({ target }) => {
      if (!(target instanceof HTMLElement)) return;
      target.removeAttribute('data-unreached');
      // Tab reaches one radio button of a group, the arrow keys reach the others.
      if (target instanceof HTMLInputElement && target.type === 'radio')
        for (const radio of document.getElementsByName(target.name)) radio.removeAttribute('data-unreached');
    });
    return open.length;
  });
  for (let presses = 0; presses <= count + INSIDE_FIELDS; presses += 1) await page.keyboard.press('Tab');
  return page.locator('[data-unreached]').evaluateAll((left) => left.map(({ outerHTML }) => outerHTML));
}

const paths = ADMIN_PAGES.filter(({ method, path }) => method === 'GET' && !NO_PAGES.has(path)).map(
  ({ path }) => path,
);

for (const path of paths) {
  test(`${path} of the admin is within its budget, fits phone and desktop, passes axe in both themes, and Tab reaches every control`, async ({
    page,
    shop,
    api,
    allowConsoleErrors,
  }) => {
    allowConsoleErrors(/the server responded with a status of 4/);
    const isSignIn = path === '/sign-in';
    if (isSignIn) await addToStaff(shop, 'owner');
    const address = isSignIn ? path : (await enterOnce(page, shop, api))(path);
    expect(address, 'the list of ids in this file has one for this path').not.toContain(':');
    expect(await weigh(page, ADMIN_URL + address), 'bytes').toBeLessThanOrEqual(MAX_BYTES);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectFits(page);
    expect(await unreached(page)).toEqual([]);
  });
}
