import type { Page } from 'playwright/test';
import { PAGES } from '#page-table.ts';
import { paths } from '#paths.ts';
import { API_ORIGIN } from '#tests/support/api-address.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { chooseHindi, expectHindi, openHindi } from '#tests/support/hindi.ts';
import { untilQuiet } from '#tests/support/page.ts';
import {
  expectNoAxeFindings,
  expectNoShift,
  hiddenParts,
  SMALLEST_SHIFT,
  watchShifts,
} from '#tests/support/page-checks.ts';
import { PAGE_VISITS } from '#tests/support/visits.ts';

/* What must hold on every page of the page table. */

const PHONE = { width: 360, height: 800 };
/** A window of 1280 × 720 at 400 %, and a narrow phone. */
const ZOOMED = { width: 320, height: 180 };
const NARROW = { width: 320, height: 800 };
/** A4 with the margins of a browser. */
const PAPER = { width: 718, height: 1000 };
const PRESSED = '.skip-link, .header, .tab-bar, .toasts, .buy-bar, [data-cart-bar], .footer nav';

/** Visible paragraphs, headings and the like without text. */
const empty = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('p, h1, h2, h3, dt, dd, legend')]
      .filter((each) => each.textContent?.trim() === '' && each.checkVisibility())
      .map(({ outerHTML }) => outerHTML),
  );

/** The width of the page in px when its letters are twice as large. */
function widthOfLargeText(): number {
  const root = document.documentElement;
  root.style.fontSize = '200%';
  const { scrollWidth } = root;
  root.removeAttribute('style');
  return scrollWidth;
}

/** The links and the canonical URL of the page that end in .html or a slash. */
const unnormalisedLinks = (page: Page): Promise<string[]> =>
  page
    .locator('a[href^="/"], link[rel=canonical]')
    .evaluateAll((links) =>
      links
        .map((link) => new URL(link.getAttribute('href') ?? '', document.baseURI).pathname)
        .filter((path) => /\.html$|.\/$/.test(path)),
    );

for (const { name, row, prepare } of PAGE_VISITS) {
  test(`[spec 2.routes.1, 2.routes.2, 2.routes.3, 2.routes.6, 2.routes.7, 2.routes.8, 2.notfound.5] ${name}: responds at its address, is complete, has no layout shift, hides nothing at 400 %, no foreign requests, prints, and is in Hindi`, async ({
    page,
    api,
    shop,
    context,
    fillCart,
    allowConsoleErrors,
  }) => {
    allowConsoleErrors(FAILED_REQUEST);
    const shopper = await api.newSignedIn();
    if (row.isSignedIn)
      await context.addCookies([
        { name: 'auth_token', value: shopper.token, url: shop.url, sameSite: 'Lax' },
      ]);
    const { address, cart } = await prepare(api, shopper);
    if (cart) await fillCart(cart);
    const strange: string[] = [];
    const ours = new Set([new URL(shop.url).origin, API_ORIGIN]);
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (/^https?:$/.test(protocol) && !ours.has(origin)) strange.push(request.url());
    });
    const response = await page.request.get(address, { maxRedirects: 0 });
    expect(response.status()).toBe(row === PAGES.notFound ? 404 : 200);

    await watchShifts(page, SMALLEST_SHIFT);
    await page.goto(address);
    const main = page.getByRole('main');
    await expect(main.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('banner')).toHaveCount(row.isBare ? 0 : 1);
    await expect(page.getByRole('contentinfo')).toHaveCount(row.isBare ? 0 : 1);
    await expect(page.locator('.seller')).toContainText('Fresh Fruits Retail Private Limited');
    await expect(page.locator('.seller')).toContainText('Grievance Officer');
    await expect(
      main.locator('[aria-busy=true], [data-skeleton], .skeleton').filter({ visible: true }),
    ).toHaveCount(0);
    await expect(page.locator('input[type=checkbox]:checked')).toHaveCount(0);
    if (!row.isBare) await untilQuiet(page);
    await expect(page.locator('[data-hydrated=false]')).toHaveCount(0);
    await expectNoShift(page);
    // Islands have paragraphs that are empty at first.
    if (!row.isIsland) expect(await empty(page), 'empty paragraphs').toEqual([]);
    expect(await unnormalisedLinks(page), 'links').toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
    await expectNoAxeFindings(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectNoAxeFindings(page, 'color-contrast');
    await page.emulateMedia({ colorScheme: null });

    expect(await page.evaluate(hiddenParts)).toEqual([]);
    await page.setViewportSize(ZOOMED);
    expect(await page.evaluate(hiddenParts)).toEqual([]);
    await page.setViewportSize(NARROW);
    expect(await page.evaluate(widthOfLargeText)).toBe(NARROW.width);
    await page.setViewportSize(PHONE);

    if (!row.isBare) {
      await page.setViewportSize(PAPER);
      await page.emulateMedia({ media: 'print' });
      await expect(page.locator('.footer address')).toBeVisible();
      await expect(page.locator(PRESSED).filter({ visible: true })).toHaveCount(0);
      await page.emulateMedia({ media: null });
      await page.setViewportSize(PHONE);
    }
    expect(strange).toEqual([]);

    // hindi.test.ts covers pages with typed text. The page for testers is in English.
    if (row.isSignedIn || row.path === paths.apiTest) return;
    await chooseHindi(page);
    await openHindi(page, address);
    await expectHindi(page, api);
    await expectNoAxeFindings(page);
  });
}
