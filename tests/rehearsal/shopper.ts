import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, expect, type Page } from 'playwright/test';
import { chromiumArgs, findQuickest } from '#tests/support/find-chromium.ts';
import { LABELLED_ADDRESS } from '#tests/support/shop-client.ts';
import { OWNER } from './own-catalogue.ts';

const PASSWORD = 'mangoes before monsoon';

/** @param pictures a folder for a picture of each page */
export async function openBrowser(pictures?: string) {
  const executablePath = findQuickest();
  const browser = await chromium.launch({
    args: chromiumArgs,
    ...(executablePath ? { executablePath } : {}),
  });
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    viewport: { width: 390, height: 844 },
  });
  if (pictures) mkdirSync(pictures, { recursive: true });
  let number = 0;
  return {
    page: await context.newPage(),
    async show(page: Page, name: string): Promise<void> {
      number += 1;
      const path = join(pictures ?? '', `${String(number).padStart(2, '0')}-${name}.png`);
      if (pictures) await page.screenshot({ path, fullPage: true });
    },
    close: () => browser.close(),
  };
}

type Browser = Awaited<ReturnType<typeof openBrowser>>;

/** Buys a product as a stranger does: from the home page to 'Thank You'. Returns the order's id. */
export async function buy({ page, show }: Browser, site: string): Promise<string> {
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await page.goto(site);
  await expect(page).toHaveTitle(new RegExp(OWNER.storeName));
  await show(page, 'home');
  await page.goto(`${site}/product/mango`);
  await show(page, 'product');
  await button('Add to Cart').click();
  await expect(page).toHaveURL(`${site}/cart`);
  await show(page, 'cart');
  await page.goto(`${site}/register`);
  await page.getByLabel('First name').fill('Asha');
  await page.getByLabel('Last name').fill('Rao');
  await page.getByLabel('Email').fill('asha@example.com');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password', { exact: true }).fill(PASSWORD);
  await show(page, 'register');
  await button('Create account').click();
  await page.getByText('Account created successfully.').first().waitFor();
  await page.goto(`${site}/checkout`);
  await page.getByLabel('Email').fill('asha@example.com');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await show(page, 'login');
  await button('Sign in').click();
  await expect(page).toHaveURL(`${site}/checkout`);
  for (const [label, text] of Object.entries(LABELLED_ADDRESS))
    await page.getByLabel(label, { exact: true }).first().fill(text);
  await show(page, 'checkout');
  await button('Create Order').click();
  await page.waitForURL(/\/payment\?orderId=/);
  const id = new URL(page.url()).searchParams.get('orderId') ?? '';
  await page.getByLabel('Pay with').selectOption({ label: 'Card or net banking' });
  await show(page, 'payment');
  await button('Pay Now').click();
  await page.locator('button[value=succeeded]').click();
  await page.getByText('Thank You for Your Order!').waitFor();
  await show(page, 'order-success');
  await page.goto(`${site}/orders`);
  await page.getByText('Processing').first().waitFor();
  await show(page, 'orders');
  return id;
}

/** Chooses the owner's password by the link, and finds the order in the office. */
export async function enterOffice({ page, show }: Browser, link: string, order: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Choose this password' }).click();
  await page.waitForURL(/\/office$/);
  await show(page, 'office');
  await page.goto(new URL(`/office/orders/${order}`, link).href);
  await page.getByText('Asha Rao').first().waitFor();
  await show(page, 'office-order');
}
