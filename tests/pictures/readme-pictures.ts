import { chromium } from 'playwright';
import sharp from 'sharp';
import { serveSite } from '#scripts/serve/server.ts';
import { startTestApi } from '#tests/support/api.ts';
import { testSite } from '#tests/support/build-site.ts';
import { chromiumArgs, findChromium } from '#tests/support/find-chromium.ts';
import { createShopClient } from '#tests/support/shop-client.ts';

/** `npm run pictures`: pictures of the shop for the documents, of the site that `npm run test:site` has built. */

const SCREEN = { width: 360, height: 720 };
const MARGIN = 20;

const site = await serveSite({ directory: testSite, host: '127.0.0.1' });
const api = await startTestApi({ siteOrigins: [site.url] });
const executablePath = findChromium();
const browser = await chromium.launch({
  args: [...chromiumArgs, `--host-resolver-rules=MAP localhost:8044 ${new URL(api.url).host}`],
  ...(executablePath && { executablePath }),
});
const { id } = await createShopClient(api).product(({ name }) => name.startsWith('Alphonso'));

/** The paths of each picture. The product is put into the cart on the way. */
const PICTURES = {
  shop: ['/', '/products', `/product/${id}`, '/cart'],
  hindi: ['/', '/products', `/product/${id}`, '/cart'],
};

for (const [name, paths] of Object.entries(PICTURES)) {
  const context = await browser.newContext({ viewport: SCREEN, isMobile: true, hasTouch: true });
  const page = await context.newPage();
  await page.addInitScript(
    (language) => {
      localStorage.setItem('fresh-fruits.fonts', '');
      if (language) localStorage.setItem('fresh-fruits.language', language);
    },
    name === 'hindi' ? 'hi' : '',
  );
  const screens: Buffer[] = [];
  // The fonts come after the first page of a visit.
  await page.goto(`${site.url}/about`, { waitUntil: 'networkidle' });
  for (const path of paths) {
    await page.goto(site.url + path, { waitUntil: 'networkidle' });
    await page.evaluate(() => document.fonts.ready);
    screens.push(await page.screenshot());
    if (path.startsWith('/product/')) await page.locator('.buy [type=submit]').tap();
  }
  await context.close();
  const size = {
    width: MARGIN + screens.length * (SCREEN.width + MARGIN),
    height: SCREEN.height + 2 * MARGIN,
  };
  await sharp({ create: { ...size, channels: 3, background: '#dce3db' } })
    .composite(
      screens.map((input, index) => ({ input, left: MARGIN + index * (SCREEN.width + MARGIN), top: MARGIN })),
    )
    .webp({ quality: 80, effort: 6 })
    .toFile(`.github/pictures/${name}.webp`);
}
await Promise.all([browser.close(), site.close(), api.close()]);
