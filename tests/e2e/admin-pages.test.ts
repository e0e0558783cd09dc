import type { Cookie, Page, Request } from 'playwright/test';
import * as v from 'valibot';
import { ADMIN_PAGES } from '#server/app/admin-pages.tsx';
import { categories } from '#server/catalogue/categories/stored-categories.ts';
import { storedProducts } from '#server/catalogue/stored-products.ts';
import { recordPayment } from '#server/ledger/book.ts';
import { readSettings } from '#server/settings/settings.ts';
import { getRow, runSql } from '#tests/server/support/rows.ts';
import { ADMIN_URL, addToStaff, enterAdmin, expectFits } from '#tests/support/admin.ts';
import { expect, type Services, test } from '#tests/support/fixtures.ts';
import type { ShopClient } from '#tests/support/shop-client.ts';

/** Pages are sent uncompressed: they hold secrets beside text that shoppers wrote. */
const MAX_BYTES = 27 * 1_024;
/** Not images: their size is the catalogue's, and thumbnails load lazily. */
const COUNTED = /^(?:document|stylesheet|script|font)$/;

/** A date field takes more than one Tab. */
const INSIDE_FIELDS = 16;

const IdSchema = v.object({ id: v.string() });

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

/** The addresses of a worker's shop and the cookies of its owner, made once. */
const known = new WeakMap<Services, { addresses: Record<string, string>; cookies: Cookie[] }>();

/** Signs in as the owner. Returns the addresses. */
async function enterOnce(page: Page, shop: Services, client: ShopClient): Promise<Record<string, string>> {
  const found = known.get(shop);
  if (found) await page.context().addCookies(found.cookies);
  else await enterAdmin(page, shop, 'owner');
  const addresses = found?.addresses ?? (await makeAddresses(page, shop, client));
  known.set(shop, { addresses, cookies: await page.context().cookies() });
  return addresses;
}

/** An address for each path of the admin with a parameter or a query. */
async function makeAddresses(
  page: Page,
  { api }: Services,
  client: ShopClient,
): Promise<Record<string, string>> {
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
  const returnRequest = await getRow(api.db, IdSchema, 'SELECT id FROM returns LIMIT 1');
  await page.goto(`${ADMIN_URL}/orders`);
  await page.locator('input[name="order"]').first().check();
  await page.getByRole('button', { name: 'Mark as shipped' }).first().click();
  await page.waitForURL('**/orders/batches/*');
  const batch = new URL(page.url()).pathname.replace(/^\/admin/, '');
  const paidRow = await getRow(api.db, IdSchema, "SELECT id FROM movements WHERE kind = 'payment' LIMIT 1");
  const services = { settings: readSettings({}), clock: Date.now };
  const transfer = { way: 'bank_transfer', paise: 100, recordedBy: 'owner' };
  const booked = await api.db.write((transaction) => recordPayment(transaction, services, 1, transfer));
  await runSql(api.db, 'UPDATE movements SET needs_review = 1 WHERE id = ?', paidRow?.id ?? '');
  await runSql(api.db, 'UPDATE orders SET paid_at_door = 1 WHERE id = ?', processed.id);
  const customer = await getRow(api.db, IdSchema, 'SELECT id FROM customers WHERE email = ?', shopper.email);
  const [product] = await storedProducts(api.db);
  const [category] = await categories(api.db);
  const staffMember = await getRow(api.db, IdSchema, 'SELECT id FROM staff LIMIT 1');
  return {
    '/catalogue/products/:id': `/catalogue/products/${product?.product.id}`,
    '/customers/:id': `/customers/${customer?.id}`,
    '/orders/batches/:id': batch,
    '/orders/batches/:id/slips': `${batch}/slips`,
    '/orders/batches/:id/picks': `${batch}/picks`,
    '/orders/:id': `/orders/${order.id}`,
    '/orders/:id/cancel': `/orders/${order.id}/cancel`,
    '/orders/:id/lost': `/orders/${shipped.id}/lost`,
    '/orders/:id/returned-to-origin': `/orders/${shipped.id}/returned-to-origin`,
    '/orders/:id/correct': `/orders/${order.id}/correct`,
    '/orders/:id/invoice': `/orders/${order.id}/invoice`,
    '/orders/:id/take-back': `/orders/${processed.id}/take-back`,
    '/orders/:id/slip': `/orders/${order.id}/slip`,
    '/orders/:id/payment': `/orders/${order.id}/payment`,
    '/orders/:id/refund': `/orders/${order.id}/refund`,
    '/orders/:id/lower': `/orders/${order.id}/lower`,
    '/orders/:id/not-refunded': `/orders/${order.id}/not-refunded`,
    '/orders/:id/write-off': `/orders/${processed.id}/write-off`,
    '/orders/:id/not-at-the-door': `/orders/${processed.id}/not-at-the-door`,
    '/orders/:id/bookings/:row/take-back': `/orders/${order.id}/bookings/${booked.id}/take-back`,
    '/orders/:id/bookings/:row/same-money': `/orders/${order.id}/bookings/${booked.id}/same-money`,
    '/orders/:id/bookings/:row/review': `/orders/${order.id}/bookings/${paidRow?.id}/review`,
    '/orders/returns/:id': `/orders/returns/${returnRequest?.id}`,
    '/policies/:slug': '/policies/terms',
    '/staff/:id': `/staff/${staffMember?.id}`,
    '/store/categories/edit': `/store/categories/edit?${new URLSearchParams({ name: category?.name ?? '' })}`,
  };
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
    const address = (isSignIn ? undefined : (await enterOnce(page, shop, api))[path]) ?? path;
    expect(address, 'the list of addresses in this file has one for this path').not.toContain(':');
    expect(await weigh(page, ADMIN_URL + address), 'bytes').toBeLessThanOrEqual(MAX_BYTES);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectFits(page);
    expect(await unreached(page)).toEqual([]);
  });
}
