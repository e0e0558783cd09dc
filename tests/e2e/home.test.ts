import type { Page } from 'playwright/test';
import * as v from 'valibot';
import { StoreInfoSchema } from '#api/schema/store-info.ts';
import { expect, test } from '#tests/support/fixtures.ts';
import { hold } from '#tests/support/page.ts';
import { productDto } from '#tests/support/product-dtos.ts';

const FEATURED_CALL = /\/api\/v1\/products\?.*category=/;

test('a phone shows the headline, its buttons and the picture without scrolling', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('link', { name: 'Featured Selection' })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('img', { name: /still life/ })).toBeInViewport();
});

/** The home page of a build without featured products: four skeletons, no card. */
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

for (const [title, answer, cards, warnings] of [
  [
    '[spec 4.featured.1, 7.products.7] four products of the first category are fetched and shown',
    list([productDto({ id: 'a' }), productDto({ id: 'b' })]),
    2,
    0,
  ],
  [
    '[spec 4.featured.2] a failure is only logged, and no products are shown',
    { status: 400, json: { error: 'No' } },
    0,
    1,
  ],
] as const) {
  test(title, async ({ page, api, allowConsoleErrors }) => {
    // Chromium blocks loopback requests of a page that the test fulfils.
    allowConsoleErrors(/Failed to load resource/, /loopback/);
    const logged: string[] = [];
    page.on('console', (message) => logged.push(`${message.type()}: ${message.text()}`));
    await buildWithoutFeatured(page);
    const featuredRequest = page.waitForRequest(FEATURED_CALL);
    const release = await hold(page, FEATURED_CALL, async (route) => {
      await route.fulfill(answer);
    });
    await page.goto('/');
    const { categories } = v.parse(StoreInfoSchema, await api.ask('storeInfo'));
    const { searchParams } = new URL((await featuredRequest).url());
    expect(searchParams.get('category')).toBe(categories[0]?.toLowerCase());
    expect(searchParams.get('limit')).toBe('4');
    const grid = page.locator('[data-featured]');
    await expect(grid).toHaveAttribute('aria-busy', 'true');
    release();
    await expect(grid).not.toHaveAttribute('aria-busy');
    await expect(grid.locator('.card')).toHaveCount(cards);
    await expect(page.getByText('No featured fruits available at the moment.')).toBeVisible({
      visible: cards === 0,
    });
    await expect(page.locator('.toast')).toHaveCount(0);
    const failed = logged.filter((text) => text.startsWith('warning: Failed to load featured products'));
    expect(failed).toHaveLength(warnings);
  });
}

test('[spec 2.home.7, 2.home.8] three categories are three columns of 380 px on a wide screen, and no word is cut on any screen', async ({
  page,
}) => {
  const cards = page.getByRole('region', { name: 'Fresh & Premium Fruits' }).getByRole('link');
  for (const width of [320, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    await page.evaluate(() => document.fonts.ready);
    /** Words that take more than one line. */
    const cut = await cards.locator('.category-name').evaluateAll((names) =>
      names.flatMap(({ firstChild: text }) =>
        [...(text?.textContent ?? '?').matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
          const range = document.createRange();
          if (text) range.setStart(text, index);
          if (text) range.setEnd(text, index + word.length);
          return range.getClientRects().length === 1 ? [] : [word];
        }),
      ),
    );
    expect(cut, String(width)).toEqual([]);
  }
  const boxes = await Promise.all((await cards.all()).map((card) => card.boundingBox()));
  expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
  expect(new Set(boxes.map((box) => box?.x)).size).toBe(3);
  expect(boxes.map((box) => box?.height)).toEqual([380, 380, 380]);
});
