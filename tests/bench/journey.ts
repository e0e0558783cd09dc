import type { Page } from 'playwright';
import { LABELLED_ADDRESS, type Shopper } from '#tests/support/shop-client.ts';
import { type Log, observeInteractions, readChanges } from './interactions.ts';
import { openPhone, slowCpu } from './phone.ts';
import type { BenchShop } from './shop.ts';
import type { Row } from './table.ts';

const INP_BAR_MS = 100;
const TIMEOUT_MS = 60_000;
/** With the interactions of one journey only, p98 would be the second slowest, which chance may decide. */
const JOURNEYS = 3;

async function fillCart(page: Page, url: string, productPath: string): Promise<void> {
  await page.goto(`${url}/`);
  await page.getByRole('button', { name: 'Menu', exact: true }).tap();
  await page.keyboard.press('Escape');
  await page.goto(`${url}/products`);
  for (const index of [0, 1, 2]) await page.locator('main [data-add]').nth(index).tap();
  await page.goto(url + productPath);
  for (let step = 0; step < 3; step += 1) await page.getByRole('button', { name: 'Increase quantity' }).tap();
  await page.locator('.buy-add').tap();
  await page.waitForURL(`${url}/cart`);
}

async function editCart(page: Page): Promise<void> {
  const more = page.getByRole('button', { name: /^Increase quantity/ }).first();
  await more.waitFor();
  for (let step = 0; step < 5; step += 1) await more.tap();
  await page
    .getByRole('button', { name: /^Remove / })
    .first()
    .tap();
  await page.getByRole('button', { name: 'Undo' }).first().tap();
}

async function signIn(page: Page, url: string, { email, password }: Shopper): Promise<void> {
  await page.getByRole('link', { name: 'Checkout' }).first().tap();
  await page.waitForURL(`${url}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Email').press('Tab');
  await page.getByRole('button', { name: 'Show password' }).tap();
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).tap();
  await page.waitForURL(`${url}/checkout`);
}

async function orderAndPay(page: Page): Promise<void> {
  for (const [label, text] of Object.entries(LABELLED_ADDRESS)) {
    await page.getByLabel(label, { exact: true }).fill('');
    await page.getByLabel(label, { exact: true }).pressSequentially(text);
  }
  await page.getByRole('button', { name: 'Create Order' }).tap();
  await page.waitForURL(/\/payment\?orderId=/);
  await page.getByRole('button', { name: 'Pay Now' }).tap();
  await page.getByRole('img', { name: 'QR code of the payment' }).waitFor();
}

/** A shopper's taps and keys from the home page to the payment's QR code. */
async function shopAround({ sites: [url], productPath, client }: BenchShop, page: Page): Promise<void> {
  const shopper = await client.register();
  await fillCart(page, url, productPath);
  await editCart(page);
  await signIn(page, url, shopper);
  await orderAndPay(page);
}

async function journey(shop: BenchShop): Promise<Log> {
  const phone = await openPhone(shop.browser);
  const { context, page } = phone;
  await slowCpu(phone);
  page.setDefaultTimeout(TIMEOUT_MS);
  await page.addInitScript(observeInteractions);
  await shopAround(shop, page);
  const log = await readChanges(page, shop.sites[0]);
  await context.close();
  return log;
}

/** Measures the time from interactions to their next paint in whole journeys on this build, with a 4× slower CPU. */
export async function measureJourney(shop: BenchShop): Promise<Row[]> {
  const logs: Log[] = [];
  for (let round = 0; round < JOURNEYS; round += 1) logs.push(await journey(shop));
  const slowest = logs.flatMap(({ interactions }) => interactions).sort((a, b) => b.ms - a.ms);
  const count = logs.flatMap(({ counts }) => counts).reduce((sum, ofPage) => sum + ofPage, 0);
  const examples = slowest.slice(0, 3).map(({ ms, what }) => `${ms} ms ${what}`);
  return [
    {
      what: 'interaction to next paint, p98',
      value: slowest[Math.floor(count * 0.02)]?.ms ?? 0,
      unit: 'ms',
      bar: INP_BAR_MS,
      note: `of ${count} in ${JOURNEYS} journeys, CPU 4×; slowest: ${examples.join(', ')}`,
    },
  ];
}
