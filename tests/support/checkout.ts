import type { BrowserContext, Page, Route } from 'playwright/test';
import { API } from './api-address.ts';
import { expect, type Shop } from './fixtures.ts';
import { ADDRESS } from './shop-client.ts';

export const ORDERS = `${API}/orders`;

export const fillAddress = async (page: Page): Promise<void> => {
  for (const [name, text] of Object.entries(ADDRESS)) await page.locator(`#${name}`).fill(text);
};

export const createOrder = (page: Page) => page.getByRole('button', { name: 'Create Order' });

/** Opens the checkout, fills it in and presses Create Order. The test looks at what comes of it. */
export const orderFrom = async (page: Page): Promise<void> => {
  await page.goto('/checkout');
  await fillAddress(page);
  await createOrder(page).click();
};

export const isPost = (route: Route): boolean => route.request().method() === 'POST';

/** The API gets the order, but the page gets no response. */
export const loseAnswer = async (route: Route, shop: Shop): Promise<void> => {
  await route.fetch({ url: `${shop.apiUrl}${new URL(route.request().url()).pathname}` });
  await route.abort('connectionreset');
};

/** Opens the checkout in a new tab. */
export const openCheckout = async (context: BrowserContext): Promise<Page> => {
  const page = await context.newPage();
  await page.goto('/checkout');
  await expect(createOrder(page)).toBeVisible();
  return page;
};
