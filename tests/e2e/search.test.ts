import type { Locator, Page } from 'playwright/test';
import { untilPainted, untilQuiet } from '#tests/support/at-rest.ts';
import { expectNoAxeFindings } from '#tests/support/axe.ts';
import { FAILED_REQUEST } from '#tests/support/console-guard.ts';
import { expect, test } from '#tests/support/fixtures.ts';

const field = (page: Page) => page.getByRole('searchbox', { name: 'Search products' });
const cards = (page: Page) => page.locator('[data-search-results] .card');
const names = (page: Page) => page.locator('[data-search-results] h3');
const more = (page: Page) => page.getByRole('button', { name: 'Show more' });
const status = (page: Page) => page.locator('[data-search-status]');

test('the header of every page leads to the search, which finds while somebody types', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/about');
  await page.getByRole('banner').getByRole('link', { name: 'Search' }).click();
  await expect(field(page)).toBeFocused();
  const link = page.getByRole('banner').getByRole('link', { name: 'Search' });
  await expect(link).toHaveAttribute('aria-current', 'page');
  const results = page.getByRole('heading', { name: 'Results' });
  await expect(results).toHaveCount(0);
  await field(page).pressSequentially('mang');
  await expect(status(page)).toHaveText('8 results for “mang”');
  await expect(names(page).first()).toContainText('Mango');
  await expect(results).toHaveCount(1);
  await expect(page).toHaveURL('/search?q=mang');
  await expect(page).toHaveTitle('mang: Search | Fresh Fruits');
  expect(asked.filter((path) => path === '/listing/search/all.json')).toHaveLength(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await expectNoAxeFindings(page);
});

for (const width of [360, 768, 1280])
  test(`the button stands beside the middle of its field, ${width} px wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/search');
    const middle = (place: Locator) =>
      place.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return (top + bottom) / 2;
      });
    const button = page.getByRole('main').getByRole('button', { name: 'Search' });
    expect(await middle(button)).toBeCloseTo(await middle(field(page)), 0);
  });

test('what is typed stands in the title once, whatever it is', async ({ page }) => {
  await page.goto('/search');
  await field(page).pressSequentially('Search');
  await expect(page).toHaveTitle('Search: Search | Fresh Fruits');
  await field(page).pressSequentially('es');
  await expect(page).toHaveTitle('Searches: Search | Fresh Fruits');
  await field(page).press('Escape');
  await expect(page).toHaveTitle('Search | Fresh Fruits');
});

test('nothing of the search is loaded before it is used', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto('/');
  await untilQuiet(page);
  expect(asked.filter((address) => /instant|listing\/search/.test(address))).toEqual([]);
});

for (const [typed, found] of [
  ['aam', /Mango/],
  ['केला', /Banana/],
  ['santra', /Orange|Mandarin|Kinnow/],
  ['anar', /Pomegranate/],
  ['seb', /Apple/],
  ['pomgranate', /Pomegranate/],
] as const) {
  test(`“${typed}” is understood, and its address can be shared`, async ({ page }) => {
    await page.goto(`/search?q=${encodeURIComponent(typed)}`);
    await expect(field(page)).toHaveValue(typed);
    await expect(names(page).first()).toHaveText(found);
  });
}

test('a result is the shop’s own card: it adds at once', async ({ page }) => {
  await page.goto('/search?q=alphonso');
  await cards(page)
    .first()
    .getByRole('button', { name: /Add Alphonso Mango/ })
    .click();
  await expect(page.getByRole('link', { name: 'Cart, 1 item' }).first()).toBeVisible();
});

test('arrows go through the results, Enter opens one, Escape starts anew', async ({ page }) => {
  await page.goto('/search');
  await page.keyboard.type('kiwi');
  await expect(cards(page)).not.toHaveCount(0);
  await page.keyboard.press('ArrowDown');
  await expect(names(page).first().getByRole('link')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(field(page)).toHaveValue('');
  await expect(cards(page)).toHaveCount(0);
  await expect(page).toHaveURL('/search');
  await page.keyboard.type('kiwi');
  await page.keyboard.press('Enter');
  await expect(names(page).first().getByRole('link')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/product\//);
  await page.goBack();
  await expect(names(page).first()).toContainText('Kiwi');
});

test('a slash leads to the field from every page', async ({ page }) => {
  await page.goto('/contact');
  // The part that listens comes after the load, and draws this first.
  await page.locator('.offline-banner').waitFor({ state: 'attached' });
  await page.getByRole('textbox', { name: 'Name' }).press('/');
  await expect(page).toHaveURL('/contact');
  await page.getByRole('textbox', { name: 'Name' }).blur();
  await page.keyboard.press('/');
  await expect(page).toHaveURL('/search');
  await expect(field(page)).toBeFocused();
});

test('nothing found offers the categories', async ({ page }) => {
  await page.goto('/search?q=qqqqqqq');
  await expect(status(page)).toHaveText('0 results for “qqqqqqq”');
  await expect(page.getByText('Nothing fits.')).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Categories' }).getByRole('link').first()).toBeVisible();
  await expectNoAxeFindings(page);
});

test('more results come when they are asked for', async ({ page }) => {
  await page.goto('/search?q=fruits');
  await expect(cards(page)).toHaveCount(12);
  await more(page).click();
  await expect(cards(page)).toHaveCount(24);
  await expect(names(page).nth(12).getByRole('link')).toBeFocused();
});

test('more results come once, however often they are asked for', async ({ page }) => {
  await page.goto('/search?q=fruits');
  await expect(cards(page)).toHaveCount(12);
  await more(page).evaluate((button: HTMLElement) => {
    button.click();
    button.click();
  });
  await expect(cards(page)).toHaveCount(24);
  await more(page).click();
  await expect(names(page).nth(24)).toBeVisible();
  const shown = await names(page).allTextContents();
  expect(new Set(shown).size).toBe(shown.length);
});

/** The file of cards that a product's card is in. */
async function fileOf(page: Page, name: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const path = `/listing/all/${number}.json`;
    const answer = await page.request.get(path);
    if (!answer.ok()) throw new Error(`No file has a card of ${name}.`);
    if ((await answer.text()).includes(JSON.stringify(name))) return path;
  }
}

test('more results that come late do not stand under those of another word', async ({ page }) => {
  const files = async (): Promise<string[]> => {
    const found = await names(page).allTextContents();
    return Promise.all(found.map((name) => fileOf(page, name.trim())));
  };
  await page.goto('/search?q=alphonso');
  await expect(names(page).first()).toContainText('Alphonso');
  const needed = new Set(await files());
  await page.goto('/search?q=fruits');
  await expect(cards(page)).toHaveCount(12);
  for (const file of await files()) needed.add(file);
  await more(page).click();
  await expect(cards(page)).toHaveCount(24);
  const late = (await files()).find((file) => !needed.has(file));
  expect(late).toBeDefined();

  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**${late}`, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/search?q=fruits');
  await expect(cards(page)).toHaveCount(12);
  await more(page).click();
  await field(page).fill('alphonso');
  await expect(status(page)).toHaveText(/“alphonso”/);
  const answered = page.waitForResponse(`**${late}`);
  release();
  await (await answered).finished();
  await untilPainted(page);
  for (const name of await names(page).allTextContents()) expect(name).toContain('Alphonso');
});

test('a search that cannot be loaded says so, and works again with the line', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(FAILED_REQUEST);
  await page.route('**/listing/search/all.json', (route) => route.abort());
  await page.goto('/search?q=mango');
  await expect(page.getByRole('alert').getByText('The search could not be loaded.')).toBeVisible();
  await page.unrouteAll();
  await field(page).fill('mangoes');
  await expect(cards(page)).not.toHaveCount(0);
  await expect(page.getByText('The search could not be loaded.')).toBeHidden();
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the form asks for the same address, and the page says what it needs', async ({ page }) => {
    await page.goto('/search');
    await field(page).fill('mango');
    await field(page).press('Enter');
    await expect(page).toHaveURL('/search?q=mango');
    await expect(page.getByRole('link', { name: 'browse all products' })).toBeVisible();
  });
});

test.describe('without a signal', () => {
  test.use({ serviceWorkers: 'allow' });

  test('what was searched once can be searched again', async ({ page, context, allowConsoleErrors }) => {
    // Pictures that have not been seen.
    allowConsoleErrors(FAILED_REQUEST);
    await page.goto('/search?q=mango');
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.reload();
    await expect(cards(page)).toHaveCount(8);
    for (const address of ['/search', '/listing/search/all.json'])
      await expect.poll(() => page.evaluate((path) => caches.match(path).then(Boolean), address)).toBe(true);
    await context.setOffline(true);
    await page.goto('/search?q=kiwi');
    await expect(names(page).first()).toContainText('Kiwi');
  });
});
