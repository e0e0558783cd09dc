import type { Page } from 'playwright/test';
import * as v from 'valibot';
import { StoreInfoReader } from '#api/schema/store-info.ts';
import { expect, test } from '#tests/support/fixtures.ts';
import { hold } from '#tests/support/page.ts';
import { expectNoShift, watchShifts } from '#tests/support/page-checks.ts';
import { wireProduct } from '#tests/support/wire-products.ts';

const FEATURED_CALL = /\/api\/v1\/products\?.*category=/;

test('the headline, its buttons and fruit are in the first view of a phone', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('link', { name: 'Featured Selection' })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('img', { name: /still life/ })).toBeInViewport();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBe(0);
});

/** The home page as a build makes it that knows no featured product: four skeletons, no card. */
async function buildWithoutFeatured(page: Page): Promise<void> {
  const skeleton = '<li class="featured-skeleton" aria-hidden="true"><span class="skeleton"></span></li>';
  await page.route('/', async (route) => {
    const response = await route.fetch();
    const html = (await response.text()).replace(
      /(<ul class="cards featured"[^>]*)>[\s\S]*?<\/ul>/,
      `$1 aria-busy="true">${skeleton.repeat(4)}</ul>`,
    );
    await route.fulfill({ response, body: html });
  });
}

const list = (data: unknown[]) => ({
  json: { data, pagination: { total: data.length }, count: data.length },
});

for (const [id, name, answer, cards] of [
  ['[spec 4.featured.1]', 'products', list([wireProduct({ id: 'a' }), wireProduct({ id: 'b' })]), 2],
  ['[spec 4.featured.1]', 'an empty list', list([]), 0],
  ['[spec 4.featured.2]', 'a failure, which is only logged,', { status: 400, json: { error: 'No' } }, 0],
] as const) {
  test(`${id} loading ends with ${name}`, async ({ page, allowConsoleErrors }) => {
    // A page that a test answers belongs to no network, so other calls to this machine are refused.
    allowConsoleErrors(/Failed to load resource/, /loopback/);
    const logged: string[] = [];
    page.on('console', (message) => logged.push(`${message.type()}: ${message.text()}`));
    await buildWithoutFeatured(page);
    const release = await hold(page, FEATURED_CALL, async (route) => {
      await route.fulfill(answer);
    });
    await page.goto('/');
    const grid = page.locator('[data-featured]');
    const none = page.getByText('No featured fruits available at the moment.');
    await expect(grid).toHaveAttribute('aria-busy', 'true');
    await expect(grid.locator('.featured-skeleton')).toHaveCount(4);
    await expect(none).toBeHidden();
    release();
    await expect(grid).not.toHaveAttribute('aria-busy');
    await expect(grid.locator('.card')).toHaveCount(cards);
    if (cards > 0) await expect(grid.locator('.featured-skeleton')).toHaveCount(0);
    await expect(none).toBeVisible({ visible: cards === 0 });
    await expect(page.locator('.toast')).toHaveCount(0);
    expect(logged.some((text) => text.startsWith('warning: Failed to load featured products'))).toBe(
      name.startsWith('a failure'),
    );
  });
}

test('[spec 7.products.7] asks for four of the first category', async ({ page, api }) => {
  const store = v.parse(StoreInfoReader, await api.ask('storeInfo'));
  const asked = page.waitForRequest(FEATURED_CALL);
  await page.goto('/');
  const { searchParams } = new URL((await asked).url());
  expect(searchParams.get('category')).toBe(store.categories[0]?.toLowerCase());
  expect(searchParams.get('limit')).toBe('4');
});

/** Words of the categories' names that are cut into lines, or lie under the arrow. */
const brokenWords = (page: Page): Promise<string[]> =>
  page.locator('.categories a').evaluateAll((cards) =>
    cards.flatMap((card) => {
      const text = card.querySelector('.category-name')?.firstChild;
      const arrow = card.querySelector('.category-go')?.getBoundingClientRect();
      if (!text?.textContent || !arrow) return ['?'];
      return [...text.textContent.matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const [box, ...more] = range.getClientRects();
        const isCovered = box && box.right > arrow.left && box.top < arrow.bottom;
        return !box || more.length > 0 || isCovered ? [word] : [];
      });
    }),
  );

test('no word of a category is cut, or lies under the arrow', async ({ page }) => {
  await watchShifts(page);
  for (const width of [320, 360, 640, 768, 1023, 1024, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    await page.evaluate(() => document.fonts.ready);
    await expect(page.locator('.categories a')).toHaveCount(3);
    expect(await brokenWords(page), String(width)).toEqual([]);
    await expectNoShift(page);
  }
});

test.describe('on a wide screen', () => {
  test.use({ viewport: { width: 1280, height: 800 }, isMobile: false, hasTouch: false });

  test('[spec 2.home.7, 2.home.8] three categories stand in three columns, 380 px high', async ({ page }) => {
    await page.goto('/');
    const cards = page.getByRole('region', { name: 'Fresh & Premium Fruits' }).getByRole('link');
    const boxes = await Promise.all((await cards.all()).map((card) => card.boundingBox()));
    expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
    expect(new Set(boxes.map((box) => box?.x)).size).toBe(3);
    expect(boxes.map((box) => box?.height)).toEqual([380, 380, 380]);
  });
});
