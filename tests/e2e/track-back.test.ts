import type { Page } from 'playwright/test';
import { expectHiddenOnReturn, goBack } from '#tests/support/back.ts';
import { expect, test } from '#tests/support/fixtures.ts';
import type { SignedIn } from '#tests/support/shop-client.ts';

test.use({ backForwardCache: true });

const contact = (page: Page) => page.getByLabel('Email or Phone');

async function findOrder(page: Page, { email }: SignedIn, id: string): Promise<void> {
  await page.goto('/track-order');
  await expect(contact(page)).toHaveValue(email);
  await page.getByLabel('Order Number').fill(id);
  await page.getByRole('button', { name: 'Track Order' }).click();
  await expect(page.getByRole('heading', { name: `Order #${id}` })).toBeFocused();
}

test('[fault 44] after a sign-out Back shows neither the account’s email nor the order that was found', async ({
  page,
  api,
  signedInShopper,
}) => {
  const { id } = await api.order(signedInShopper);
  await findOrder(page, signedInShopper, id);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/$/);
  await page.evaluate(() => history.go(-2));
  await expect(page).toHaveURL(/\/track-order$/);
  await expect(contact(page)).toHaveValue('');
  await expect(page.getByRole('heading', { name: `Order #${id}` })).toHaveCount(0);
});

test('[fault 44] not even for the moment until the page hears of the sign-out', async ({
  page,
  api,
  context,
  signedInShopper,
}) => {
  const { id } = await api.order(signedInShopper);
  await findOrder(page, signedInShopper, id);
  await expectHiddenOnReturn(page, context, [`Order #${id}`, signedInShopper.email], /\/track-order$/);
});

test('whoever is still signed in finds both again', async ({ page, api, signedInShopper }) => {
  const { id } = await api.order(signedInShopper);
  await findOrder(page, signedInShopper, id);
  await page.goto('/contact');
  await goBack(page);
  await expect(page).toHaveURL(/\/track-order$/);
  await expect(contact(page)).toHaveValue(signedInShopper.email);
  await expect(page.getByRole('heading', { name: `Order #${id}` })).toBeVisible();
});
