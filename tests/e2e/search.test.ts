import type { Page } from 'playwright/test';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { expectAlive, translatePage } from '#tests/support/other-programs.ts';
import { untilPainted, untilQuiet } from '#tests/support/page.ts';
import { expectNoAxeFindings } from '#tests/support/page-checks.ts';

const field = (page: Page) => page.getByRole('searchbox', { name: 'Search products' });
const cards = (page: Page) => page.locator('[data-search-results] .card');
const names = (page: Page) => page.locator('[data-search-results] h3');
const more = (page: Page) => page.getByRole('button', { name: 'Show more' });
const status = (page: Page) => page.locator('[data-search-status]');

test('the header of every page links to the search, which searches while typing', async ({ page }) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await page.goto('/about');
  await untilQuiet(page);
  expect(requests.filter((path) => /instant|listing\/search/.test(path))).toEqual([]);
  await page.getByRole('banner').getByRole('link', { name: 'Search' }).click();
  await expect(field(page)).toBeFocused();
  const link = page.getByRole('banner').getByRole('link', { name: 'Search' });
  await expect(link).toHaveAttribute('aria-current', 'page');
  await translatePage(page);
  await field(page).pressSequentially('mang');
  await expect(status(page)).toHaveText('8 results for “mang”');
  await expect(names(page).first()).toContainText('Mango');
  await expect(page.locator('.card img').first()).toHaveCSS('object-fit', 'contain');
  await expect(page).toHaveURL('/search?q=mang');
  await expect(page).toHaveTitle('mang: Search | Fresh Fruits');
  expect(requests.filter((path) => path === '/listing/search/all.json')).toHaveLength(1);
  await expectNoAxeFindings(page);
  await expectAlive(page);
});

test('arrow keys move through the results, Enter opens one, Escape clears the field', async ({ page }) => {
  await page.goto('/search');
  await expect(field(page)).toBeFocused();
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

test('keys of an input method and with Ctrl change nothing', async ({ page }) => {
  await page.goto('/search?q=kiwi');
  await expect(cards(page)).not.toHaveCount(0);
  await field(page).focus();
  for (const press of [
    { key: 'Escape', isComposing: true },
    { key: 'Escape', keyCode: 229 },
    { key: 'ArrowDown', shiftKey: true },
  ])
    await field(page).dispatchEvent('keydown', { ...press, bubbles: true, cancelable: true });
  await expect(field(page)).toHaveValue('kiwi');
  await expect(field(page)).toBeFocused();
});

test('a refused change of the address stops no search, and a single key opens none', async ({ page }) => {
  await page.addInitScript(() => {
    let calls = 0;
    const replace = history.replaceState.bind(history);
    // As WebKit: at most 100 calls in 30 s. Ten here, because the search waits for a pause before each.
    history.replaceState = (...given) => {
      calls += 1;
      if (calls > 10) throw new DOMException('100 times per 30 seconds', 'SecurityError');
      replace(...given);
    };
  });
  await page.goto('/search?q=apple');
  await field(page).evaluate((input: HTMLInputElement) => {
    for (let letter = 0; letter < 60; letter += 1) {
      input.value += 'x';
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }
  });
  await field(page).fill('kiwi');
  await expect(names(page).first()).toContainText('Kiwi');
  await expect(page).toHaveURL('/search?q=kiwi');
  await page.evaluate(() => {
    history.replaceState = () => {
      throw new DOMException('100 times per 30 seconds', 'SecurityError');
    };
  });
  await field(page).fill('mango');
  await expect(names(page).first()).toContainText('Mango');
  await page.goto('/contact');
  await untilQuiet(page);
  await page.keyboard.press('/');
  await untilPainted(page);
  await expect(page).toHaveURL('/contact');
});

test('more results are added once, however often the button is pressed', async ({ page }) => {
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
  await untilQuiet(page);
  await names(page).nth(24).getByRole('link').click();
  await expect(page).toHaveURL(/\/product\//);
  await page.goBack();
  await expect(cards(page)).toHaveCount(shown.length);
  await expect(names(page).nth(24)).toBeInViewport();
});

test('shows that the search cannot be loaded, works again online, and without results suggests categories', async ({
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
  await field(page).fill('qqqqqqq');
  await expect(status(page)).toHaveText('0 results for “qqqqqqq”');
  await expect(page.getByText('Nothing fits.')).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Categories' }).getByRole('link').first()).toBeVisible();
});
