import type { Page } from 'playwright/test';
import * as v from 'valibot';
import { StoreInfoReader } from '#api/schema/store-info.ts';
import { formatRupees } from '#domain/money.ts';
import { untilPainted, untilQuiet } from '#tests/support/at-rest.ts';
import { expectNoAxeFindings } from '#tests/support/axe.ts';
import { expect, test } from '#tests/support/fixtures.ts';
import { pricesShown, watchPrices } from '#tests/support/prices.ts';
import { expectNoShift, watchShifts } from '#tests/support/shifts.ts';
import { wireProduct } from '#tests/support/wire-products.ts';

const FEATURED_CALL = /\/api\/v1\/products\?.*category=/;
const SECTIONS = [
  'Fruit at its',
  'Fresh & Premium Fruits',
  'Featured Fruits',
  'Eat the season.',
  'First pick of every harvest',
];

const sectionsOf = (page: Page) => page.locator('main :is(h1, h2)').allInnerTexts();
const featured = (page: Page) => page.getByRole('region', { name: 'Featured Fruits' });

test('[spec 2.home.1, 2.home.2, 2.home.3] the sections come in their order, the hero with two ways in', async ({
  page,
}) => {
  await page.goto('/');
  const sections = await sectionsOf(page);
  expect(sections.map((text, index) => text.startsWith(SECTIONS[index] ?? '?'))).toEqual(
    SECTIONS.map(() => true),
  );
  await expect(page.getByRole('link', { name: 'Shop Fresh Fruits' })).toHaveAttribute('href', '/products');
  await expect(page.getByRole('link', { name: 'Featured Selection' })).toHaveAttribute(
    'href',
    '/products?featured=true',
  );
  await expectNoAxeFindings(page);
});

test('the headline, its buttons and fruit are in the first view of a phone', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('link', { name: 'Featured Selection' })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('img', { name: /still life/ })).toBeInViewport();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBe(0);
});

test('[spec 2.home.4, 2.home.5, 2.home.6, 2.home.8] the first three categories are cards', async ({
  page,
  api,
}) => {
  const store = v.parse(StoreInfoReader, await api.ask('storeInfo'));
  const firstThree = store.categories.slice(0, 3);
  await page.goto('/');
  const cards = page.getByRole('region', { name: 'Fresh & Premium Fruits' }).getByRole('link');
  await expect(cards).toHaveText(firstThree);
  expect(await cards.count()).toBe(3);
  for (const [index, name] of firstThree.entries()) {
    const card = cards.nth(index);
    await expect(card).toHaveAttribute(
      'href',
      `/products?category=${encodeURIComponent(name.toLowerCase())}`,
    );
    expect((await card.boundingBox())?.height).toBe(380);
  }
});

test('[spec 2.home.10, 4.featured.1, 7.products.9] four featured products, the flagged ones first', async ({
  page,
  api,
}) => {
  const store = v.parse(StoreInfoReader, await api.ask('storeInfo'));
  const [category] = store.categories;
  const four = (await api.products()).filter((product) => product.category === category).slice(0, 4);
  const expected = [...four.filter((p) => p.featured), ...four.filter((p) => !p.featured)];
  await page.goto('/');
  await expect(featured(page).getByRole('heading', { level: 3 })).toHaveText(
    expected.map(({ name }) => name),
  );
  await expect(featured(page).getByRole('link', { name: /View All/ })).toHaveAttribute('href', '/products');
});

test('[spec 4.cart.1, 4.cart.2] one tap on a card adds, and the same tap again adds up', async ({ page }) => {
  await page.goto('/');
  const add = featured(page).locator('[data-add]').first();
  const name = await add.locator('.sr-only').innerText();
  await add.click();
  await expect(page.getByRole('status').filter({ hasText: 'Added to cart' })).toContainText(name);
  await expect(page.getByRole('banner').getByRole('link', { name: 'Cart, 1 item' })).toBeVisible();
  await add.click();
  await expect(page.getByRole('status').filter({ hasText: 'Cart updated' })).toContainText(name);
  await expect(page.getByRole('banner').getByRole('link', { name: 'Cart, 2 items' })).toBeVisible();
  const stored: { quantity: number }[] = await page.evaluate(() =>
    JSON.parse(localStorage.getItem('cart') ?? '[]'),
  );
  expect(stored.map(({ quantity }) => quantity)).toEqual([2]);
});

test('[spec 2.home.12, 4.featured.1] when the shop has no featured product any more, it says so', async ({
  page,
}) => {
  await page.route(FEATURED_CALL, (route) =>
    route.fulfill({
      json: { data: [], pagination: { page: 1, limit: 4, total: 0, totalPages: 0 }, count: 0 },
    }),
  );
  await page.goto('/');
  await expect(featured(page)).toContainText('No featured fruits available at the moment.');
  await expect(featured(page).locator('.card')).toHaveCount(0);
});

test('[spec 4.featured.2] a failure to look featured products up is only logged', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/Failed to load resource/);
  const warned = page.waitForEvent('console', (message) => message.text().includes('featured products'));
  await page.route(FEATURED_CALL, (route) => route.fulfill({ status: 404, json: { error: 'No' } }));
  await page.goto('/');
  await warned;
  await expect(featured(page).locator('.card')).toHaveCount(4);
  await expect(page.locator('.toast')).toHaveCount(0);
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
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await buildWithoutFeatured(page);
    await page.route(FEATURED_CALL, async (route) => {
      await held;
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

test('[spec 7.products.7] the look-up names the first category in lower case, and four', async ({
  page,
  api,
}) => {
  const store = v.parse(StoreInfoReader, await api.ask('storeInfo'));
  const asked = page.waitForRequest(FEATURED_CALL);
  await page.goto('/');
  const { searchParams } = new URL((await asked).url());
  expect(searchParams.get('category')).toBe(store.categories[0]?.toLowerCase());
  expect(searchParams.get('limit')).toBe('4');
});

test('a price that changed since the build is put right in its place, and no old one comes back', async ({
  page,
  api,
}) => {
  const store = v.parse(StoreInfoReader, await api.ask('storeInfo'));
  const category = store.categories[0] ?? '';
  const answer: { data: { regularPrice: number; discountedPrice: number | null }[] } = JSON.parse(
    JSON.stringify(
      await api.ask(`products?page=1&limit=4&category=${encodeURIComponent(category.toLowerCase())}`),
    ),
  );
  const changed = answer.data.map((product) => ({ ...product, regularPrice: 4321, discountedPrice: null }));
  await page.route(FEATURED_CALL, (route) => route.fulfill({ json: { ...answer, data: changed } }));
  await watchPrices(page, '[data-featured] .card:first-child');
  await page.goto('/');
  await expect(featured(page).locator('.price')).toHaveText(
    changed.map(() => new RegExp(formatRupees(4_321))),
  );
  await untilQuiet(page);
  await untilPainted(page);
  expect((await pricesShown(page)).slice(1)).toEqual([formatRupees(4_321)]);
});

test('[spec 2.home.13, 2.home.14] the promotion leads to the products and shows four tiles', async ({
  page,
}) => {
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Explore Fruits' })).toHaveAttribute('href', '/products');
  const promotion = page.getByRole('region', { name: 'Eat the season.' });
  await expect(promotion.getByRole('listitem')).toHaveText(['Apples', 'Berries', 'Grapes', 'Exotic']);
});

test('[spec 2.home.15, 5.newsletter.1] the newsletter wants an address', async ({ page }) => {
  await page.goto('/');
  const email = page.getByRole('textbox', { name: 'Email address' });
  await expect(email).toHaveAttribute('type', 'email');
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await expect(email).toBeFocused();
  await expect(page.locator('.toast')).toHaveCount(0);
});

/** Names of the hero's links that something lies over, at any of five heights. */
const coveredLinks = (page: Page): Promise<(string | null)[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.hero a')]
      .filter((link) => {
        const { x, y, width, height } = link.getBoundingClientRect();
        return [0.1, 0.3, 0.5, 0.7, 0.9].some(
          (share) => !link.contains(document.elementFromPoint(x + width / 2, y + height * share)),
        );
      })
      .map((link) => link.textContent),
  );

test('the buttons of the hero can be pressed all over at every width', async ({ page }) => {
  for (const width of [360, 768, 1024, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    await expect(page.locator('.hero a')).toHaveCount(2);
    expect(await coveredLinks(page), String(width)).toEqual([]);
  }
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

  test('[spec 2.home.7] three categories stand in three columns', async ({ page }) => {
    await page.goto('/');
    const cards = page.getByRole('region', { name: 'Fresh & Premium Fruits' }).getByRole('link');
    const boxes = await Promise.all((await cards.all()).map((card) => card.boundingBox()));
    expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
    expect(new Set(boxes.map((box) => box?.x)).size).toBe(3);
    await expectNoAxeFindings(page);
  });
});

test.describe('in the dark', () => {
  test.use({ colorScheme: 'dark' });

  test('axe finds nothing', async ({ page }) => {
    await page.goto('/');
    await expectNoAxeFindings(page);
  });
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('[spec 2.home.18] all sections are there', async ({ page }) => {
    await page.goto('/');
    expect(await sectionsOf(page)).toHaveLength(SECTIONS.length);
    await expect(featured(page).locator('.card')).toHaveCount(4);
  });
});
