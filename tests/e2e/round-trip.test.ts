import { expect, test } from '#tests/support/fixtures.ts';
import { FIRST_WINDOW, sentBytes } from '#tests/support/round-trip.ts';

for (const path of ['/', '/products']) {
  test(`${path} comes in one round trip, headers included`, async ({ page }) => {
    expect(await sentBytes(await page.goto(path))).toBeLessThanOrEqual(FIRST_WINDOW);
  });
}

test('so does a product', async ({ page, api }) => {
  const { id } = await api.product(({ sizes }) => sizes.length > 1);
  expect(await sentBytes(await page.goto(`/product/${id}`))).toBeLessThanOrEqual(FIRST_WINDOW);
});
