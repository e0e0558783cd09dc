import { goBack, watchReturn } from '#tests/support/back.ts';
import { expect, test } from '#tests/support/fixtures.ts';

test.use({ backForwardCache: true });

test('[fault 44] after a sign-out Back shows no order', async ({ page, api, context, signedInShopper }) => {
  const { id } = await api.order(signedInShopper);
  await page.goto('/orders');
  await expect(page.getByRole('heading', { name: `#${id}` })).toBeVisible();
  const shown = await watchReturn(page);
  await page.goto('/contact');
  await context.clearCookies();
  await goBack(page);
  await expect(page).toHaveURL(/\/login$/);
  expect(await shown()).toContain('Back: ');
  expect(await shown()).not.toContain(id);
});
