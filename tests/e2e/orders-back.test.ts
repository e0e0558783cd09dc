import { expectHiddenOnReturn } from '#tests/support/back.ts';
import { expect, test } from '#tests/support/fixtures.ts';

test.use({ backForwardCache: true });

test('[fault 44] after a sign-out Back shows no order', async ({ page, api, context, signedInShopper }) => {
  const { id } = await api.order(signedInShopper);
  await page.goto('/orders');
  await expect(page.getByRole('heading', { name: `#${id}` })).toBeVisible();
  await expectHiddenOnReturn(page, context, [id]);
});
