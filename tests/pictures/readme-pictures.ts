import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type BrowserContext, chromium, type Page } from 'playwright';
import sharp from 'sharp';
import { type CartLine, toLine } from '#domain/cart.ts';
import type { Product } from '#domain/product.ts';
import { serveSite } from '#scripts/serve/server.ts';
import { startTestApi } from '#tests/support/api.ts';
import { buildTestSite, testSite } from '#tests/support/build-site.ts';
import { chromiumArgs, findChromium } from '#tests/support/find-chromium.ts';
import { untilQuiet } from '#tests/support/page.ts';
import { ADDRESS, createShopClient } from '#tests/support/shop-client.ts';

/** `npm run pictures`: the README's pictures, of the shop as it is. */

const SCREEN = { width: 360, height: 720 };
const MARGIN = 20;
const GROUND = '#dce3db';
const TARGET = fileURLToPath(new URL('../../.github/pictures/', import.meta.url));

if (!existsSync(testSite)) await buildTestSite(testSite);
const site = await serveSite({ directory: testSite, host: '127.0.0.1' });
const api = await startTestApi({ siteOrigins: [site.url] });
const shop = createShopClient(api);
const executablePath = findChromium();
const browser = await chromium.launch({
  args: [...chromiumArgs, `--host-resolver-rules=MAP localhost:8044 ${new URL(api.url).host}`],
  ...(executablePath ? { executablePath } : {}),
});

const named = (name: string): Promise<Product> => shop.product((product) => product.name.startsWith(name));
const [mango, pineapple, orange, kiwi] = await Promise.all(
  ['Alphonso Mango', 'Vazhakulam', 'Nagpur', 'Green Kiwi'].map(named),
);
const line = (product: Product | undefined, quantity: number, change: Partial<CartLine> = {}): CartLine => {
  if (!product) throw new Error('The demo catalogue has changed.');
  return { ...toLine(product, { size: '', color: '', quantity }), ...change };
};

interface Scene {
  readonly path: string;
  readonly cart?: readonly CartLine[];
  readonly signedIn?: true;
  act?(page: Page): Promise<unknown>;
}

const basket = [line(mango, 1), line(pineapple, 2), line(orange, 3)];
const lastWeek = [
  line(pineapple, 2, { price: 139 }),
  line(mango, 1, { price: 849 }),
  line(orange, 1, { id: 'sold-out' }),
];
/** By their places: the words may be Hindi. */
const pay = async (page: Page): Promise<void> => {
  for (const [name, text] of Object.entries(ADDRESS)) await page.locator(`#${name}`).fill(text);
  await page.locator('main button[type=submit]').click();
  await page.locator('.payment-form button[type=submit]').click();
  await page.locator('.qr-picture svg').waitFor();
  await page.locator('.toast-close').click();
};

const openFilters = async (page: Page): Promise<void> => {
  await page.locator('[data-refine]').click();
  await page.locator('.refine-panel').waitFor();
};

const PICTURES: Readonly<Record<string, { language?: 'hi'; scenes: readonly Scene[] }>> = {
  shop: {
    scenes: [
      { path: '/' },
      { path: '/products', act: (page) => page.locator('.card-add:not(.card-select)').first().tap() },
      { path: `/product/${mango?.id}`, cart: basket },
      { path: '/cart', cart: basket },
    ],
  },
  features: {
    scenes: [
      { path: '/search?q=aam' },
      { path: '/products', act: openFilters },
      { path: '/cart', cart: lastWeek },
      { path: '/checkout', cart: basket, signedIn: true, act: pay },
    ],
  },
  hindi: {
    language: 'hi',
    scenes: [
      { path: '/' },
      { path: '/cart', cart: [line(kiwi, 2), line(mango, 1)] },
      { path: '/checkout', cart: basket, signedIn: true, act: pay },
      { path: '/orders', signedIn: true },
    ],
  },
};

async function signIn(context: BrowserContext): Promise<void> {
  const shopper = await shop.newSignedIn();
  await shop.order(shopper, { status: 'delivered' });
  await context.addCookies([{ name: 'auth_token', value: shopper.token, url: site.url }]);
}

async function storePicture({ path, cart, signedIn, act }: Scene, language = ''): Promise<Buffer> {
  const context = await browser.newContext({
    viewport: SCREEN,
    isMobile: true,
    hasTouch: true,
    locale: 'en-IN',
  });
  if (signedIn) await signIn(context);
  const kept = { fonts: '', ...(cart && { cart: JSON.stringify(cart) }), ...(language && { language }) };
  const localStorage = Object.entries(kept).map(([name, value]) => ({ name, value }));
  const { cookies } = await context.storageState();
  await context.setStorageState({ cookies, origins: [{ origin: site.url, localStorage }] });
  const page = await context.newPage();
  // The fonts come after the first page of a visit.
  await page.goto(`${site.url}/about`);
  await page.evaluate(() =>
    Promise.all(['1em Figtree', '700 1em Bricolage'].map((font) => document.fonts.load(font, 'a₹'))),
  );
  await page.goto(site.url + path);
  await untilQuiet(page);
  await page.waitForFunction(() => document.querySelector('main [aria-busy=true], main .skeleton') === null);
  await act?.(page);
  await page.evaluate(async () => {
    const inSight = [...document.images].filter((image) => image.getBoundingClientRect().top < innerHeight);
    await Promise.all(inSight.map((image) => image.decode().catch(() => {})));
    await Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {})));
  });
  const picture = await page.screenshot();
  await context.close();
  return picture;
}

for (const [name, { scenes, language }] of Object.entries(PICTURES)) {
  const screens: Buffer[] = [];
  for (const scene of scenes) screens.push(await storePicture(scene, language));
  const step = SCREEN.width + MARGIN;
  await sharp({
    create: {
      width: MARGIN + screens.length * step,
      height: SCREEN.height + 2 * MARGIN,
      channels: 3,
      background: GROUND,
    },
  })
    .composite(screens.map((input, index) => ({ input, left: MARGIN + index * step, top: MARGIN })))
    .webp({ quality: 80, effort: 6 })
    .toFile(`${TARGET}${name}.webp`);
  console.log(`${name}.webp`);
}
await Promise.all([browser.close(), site.close(), api.close()]);
