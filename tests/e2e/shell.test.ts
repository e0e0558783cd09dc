import type { Page } from 'playwright/test';
import * as v from 'valibot';
import { StoreInfoSchema } from '#api/schema/store-info.ts';
import { paths } from '#paths.ts';
import { API } from '#tests/support/api-address.ts';
import { expect, test } from '#tests/support/fixtures.ts';
import { leaveNotices, untilPainted, untilQuiet, useOldBrowser } from '#tests/support/page.ts';
import { expectNoAxeFindings } from '#tests/support/page-checks.ts';

const STORE_CALL = `${API}/storeInfo`;

const header = (page: Page) => page.getByRole('banner');

/** Stores a notice for the next page, like a flow of the shop. */
const storeNotices = (page: Page, ...notices: object[]) =>
  page.addInitScript((text) => {
    if (!sessionStorage.getItem('left')) sessionStorage.setItem('fresh-fruits.notices', text);
    sessionStorage.setItem('left', 'yes');
  }, JSON.stringify(notices));

/** The accessible state. The browser sets it for a popover's button, without an attribute. */
async function isExpanded(page: Page, name: string): Promise<unknown> {
  const session = await page.context().newCDPSession(page);
  const { root } = await session.send('DOM.getDocument');
  const { nodes } = await session.send('Accessibility.queryAXTree', {
    backendNodeId: root.backendNodeId,
    accessibleName: name,
    role: 'button',
  });
  await session.detach();
  return nodes[0]?.properties?.find((property) => property.name === 'expanded')?.value.value;
}

for (const [where, prepare] of [
  ['on a phone', async () => {}],
  ['without popovers', useOldBrowser],
] as const)
  test(`[spec 2.header.9] ${where} the menu opens and closes`, async ({ page }) => {
    await prepare(page);
    await page.goto('/contact');
    const button = page.getByRole('button', { name: 'Menu' });
    const allProducts = header(page).getByRole('link', { name: 'All Products' });
    await expect.poll(() => isExpanded(page, 'Menu')).toBe(false);
    await expect(allProducts).toBeHidden();
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => button.click(),
      () => page.getByRole('heading', { level: 1 }).click({ force: true }),
      () => allProducts.click({ noWaitAfter: true }),
    ]) {
      await button.click();
      await expect.poll(() => isExpanded(page, 'Menu')).toBe(true);
      await expect(allProducts).toBeVisible();
      await expectNoAxeFindings(page);
      await close();
      await expect(allProducts).toBeHidden();
    }
    await expect(page).toHaveURL(/\/products$/);
  });

test('on a phone held sideways nothing lies under its notch', async ({ page, filledCart: _ }) => {
  const [width, height, notch] = [740, 420, 44];
  /** A button is larger than its icon. */
  const overhang = 10;
  await page.setViewportSize({ width, height });
  const session = await page.context().newCDPSession(page);
  const insets = { left: notch, right: notch, top: 30, bottom: 21 };
  await session.send('Emulation.setSafeAreaInsetsOverride', { insets });
  for (const path of ['/', '/products', '/cart', '/login']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    if (path === '/cart') await expect(page.getByRole('button', { name: /^Remove/ }).first()).toBeVisible();
    // In one step, because the page may replace an element.
    const places = await page.evaluate(() =>
      [
        ...document.querySelectorAll(
          'h1, p, button, .header a, .header .cart-count, .tab-bar span, .footer a',
        ),
      ]
        .filter((element) => element.checkVisibility({ visibilityProperty: true }))
        .filter((element) => !element.closest('.featured, .categories, .sr-only'))
        .map((element) => element.getBoundingClientRect().toJSON())
        .filter(({ width }) => width > 0),
    );
    expect(places.length).toBeGreaterThan(4);
    expect(
      places.filter(({ left, right, top }) => left < notch || right > width - notch + overhang || top < 30),
    ).toEqual([]);
  }
});

test('[spec 2.header.7, 2.header.8, 4.auth.2] the account icon replaces Login without a layout shift', async ({
  page,
  api,
  context,
  shop,
}) => {
  await page.goto('/');
  const cart = header(page).getByRole('link', { name: 'Cart' });
  await expect(header(page).getByRole('link', { name: 'Login' })).toHaveAttribute('href', paths.login);
  await expect(header(page).getByRole('link', { name: 'My Account' })).toBeHidden();
  const before = await cart.boundingBox();
  const { token } = await api.newSignedIn();
  await context.addCookies([{ name: 'auth_token', value: token, url: shop.url, sameSite: 'Lax' }]);
  await page.reload();
  await expect(header(page).getByRole('link', { name: 'My Account' })).toHaveAttribute('href', paths.account);
  await expect(header(page).getByRole('link', { name: 'Login' })).toBeHidden();
  expect(await cart.boundingBox()).toEqual(before);
});

test('a page that becomes visible again shows that the session has ended', async ({
  page,
  context,
  signedInShopper: _,
}) => {
  await page.addInitScript(() => Object.defineProperty(globalThis, 'cookieStore', { value: undefined }));
  const session = await context.cookies();
  for (const event of ['focus', 'visibilitychange', 'pageshow']) {
    await page.goto('/');
    // Rendered after the header's listeners start.
    await expect(page.locator('.offline-banner')).toBeAttached();
    await context.clearCookies();
    await expect(header(page).getByRole('link', { name: 'My Account' })).toBeVisible();
    await page.evaluate((type) => {
      const target = type === 'visibilitychange' ? document : window;
      target.dispatchEvent(new Event(type));
    }, event);
    await expect(header(page).getByRole('link', { name: 'Login' })).toBeVisible();
    await expect(header(page).getByRole('link', { name: 'My Account' })).toBeHidden();
    await context.addCookies(session);
  }
});

test('[spec 2.header.10, 2.footer.5] the header changes after 20 px and back at the same height; a wide screen has no bottom bar', async ({
  page,
}) => {
  await page.goto('/');
  const look = () =>
    header(page).evaluate((element) => {
      const { backgroundColor, boxShadow, height } = getComputedStyle(element);
      return { backgroundColor, hasShadow: boxShadow !== 'none', height };
    });
  const atTop = await look();
  await page.evaluate(() => scrollTo(0, 20));
  await untilPainted(page);
  expect(await look()).toEqual(atTop);
  await page.evaluate(() => scrollTo(0, 21));
  await expect
    .poll(look)
    .toEqual({ backgroundColor: 'rgb(255, 255, 255)', hasShadow: true, height: atTop.height });
  await page.evaluate(() => scrollTo(0, 0));
  await expect.poll(look).toEqual(atTop);
  for (const width of [1280, 768, 767]) {
    await page.setViewportSize({ width, height: 800 });
    const bar = page.getByRole('navigation', { name: 'Quick links' });
    await expect(bar).toBeVisible({ visible: width === 767 });
  }
});

test('[spec 8.notices.7] a notice for the next page is announced, and disappears after six seconds, but not while focused; an error stays until it is dismissed', async ({
  page,
}) => {
  await page.clock.install({ time: new Date('2026-01-05T10:00:00Z') });
  await storeNotices(
    page,
    { title: 'Logged out', text: 'You have been logged out successfully.' },
    { title: 'Error', text: 'It failed.', tone: 'error' },
  );
  await page.goto('/');
  const toasts = page.locator('.toast');
  const notice = toasts.filter({ hasText: 'Logged out' });
  await expect(notice).toBeVisible();
  const status = page.getByRole('status').filter({ hasText: 'Logged out' });
  await expect(status).toContainText('You have been logged out successfully.');
  await page.clock.pauseAt(new Date('2026-01-05T11:00:00Z'));
  await leaveNotices(page);
  await page.clock.runFor(5_900);
  await expect(notice).toBeVisible();
  await notice.getByRole('button', { name: 'Dismiss' }).focus();
  // axe needs a running clock.
  await page.clock.resume();
  await expectNoAxeFindings(page);
  await page.clock.pauseAt(new Date('2026-01-05T12:00:00Z'));
  await expect(notice).toBeVisible();
  await notice.getByRole('button', { name: 'Dismiss' }).blur();
  await page.clock.runFor(6_100);
  await expect(notice).toHaveCount(0);
  await expect(page.getByRole('alert')).toContainText('It failed.');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(toasts).toHaveCount(0);
  await expect(page.getByRole('main')).toBeFocused();
  await page.clock.resume();
  await page.reload();
  await expect(page.locator('.language').first()).toBeAttached();
  expect(await page.evaluate(() => sessionStorage.getItem('fresh-fruits.notices'))).toBeNull();
  await expect(toasts).toHaveCount(0);
});

test('[spec 2.routes.4] the skip link skips the header; a link opens a page at its top', async ({ page }) => {
  await page.goto('/contact');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to main content' })).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.getByRole('link', { name: 'Shipping Policy' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Shipping Policy' })).toBeInViewport();
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test('[spec 4.store.2] fetches the store record once per session', async ({ page, api }) => {
  const store = v.parse(StoreInfoSchema, await api.ask('storeInfo'));
  let calls = 0;
  await page.route(STORE_CALL, (route) => {
    calls += 1;
    return route.fulfill({
      json: {
        ...store,
        storeName: 'Ripe & Ready',
        companyPhone: '+91 11111 22222',
        categoryImages: {},
        policies: {},
      },
    });
  });
  await page.goto('/');
  const phone = page.getByRole('contentinfo').getByRole('link', { name: '+91 11111 22222' });
  await expect(header(page)).toContainText('Ripe & Ready');
  await expect(phone).toHaveAttribute('href', 'tel:+911111122222');
  await page.goto('/contact');
  await expect(header(page)).toContainText('Ripe & Ready');
  await untilQuiet(page);
  expect(calls).toBe(1);
});

test('no notice covers the focused link in the footer', async ({ page }) => {
  await page.goto('/products');
  const adds = page.getByRole('listitem').getByRole('button', { name: /^Add / });
  for (const count of [1, 2, 3]) {
    await adds.nth(count).click();
    await expect(page.locator('.toast')).toHaveCount(count);
  }
  const links = await page.getByRole('contentinfo').locator('a, button').filter({ visible: true }).all();
  expect(links.length).toBeGreaterThan(12);
  await links[0]?.focus();
  const backward = links.slice(0, -1).reverse();
  for (const [key, passed] of [
    ['Tab', links.slice(1)],
    ['Shift+Tab', backward],
  ] as const)
    for (const link of passed) {
      await page.keyboard.press(key);
      await expect(link).toBeFocused();
      // A click would hit the link itself.
      await link.click({ trial: true });
    }
});

test('lists are lists for Safari as well, and what is selected shows in forced colours', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/products');
  const colors = () =>
    page
      .locator('.pills .pill')
      .evaluateAll((pills) => pills.map((pill) => getComputedStyle(pill).backgroundColor));
  await expect.poll(async () => new Set(await colors()).size).toBe(2);
  // On wide screens it is the frame above its icon, so a background would cover that.
  await page.setViewportSize({ width: 1_280, height: 900 });
  const choice = page.locator('[name=grid]:checked');
  await expect(choice).toHaveCSS('border-top-width', '4px');
  const highlight = await choice.evaluate((frame) => getComputedStyle(frame).borderTopColor);
  await expect(choice).not.toHaveCSS('background-color', highlight);
  // The sign that makes them lists is in the style sheet that loads after the first view.
  const silent = () =>
    page
      .locator('ul:not(nav *) > li')
      .evaluateAll(
        (items) => items.filter((item) => getComputedStyle(item, '::before').content === 'none').length,
      );
  await expect.poll(silent).toBe(0);
});
