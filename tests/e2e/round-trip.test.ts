import { FIRST_WINDOW, sentBytes } from '#scripts/serve/sent-bytes.ts';
import { expect, test } from '#tests/support/fixtures.ts';

for (const path of ['/', '/products']) {
  test(`${path} comes in one round trip, headers included`, async ({ shop }) => {
    expect(await sentBytes(shop.url + path)).toBeLessThanOrEqual(FIRST_WINDOW);
  });
}

test('so does a product', async ({ shop, api }) => {
  const { id } = await api.product(({ sizes }) => sizes.length > 1);
  expect(await sentBytes(`${shop.url}/product/${id}`)).toBeLessThanOrEqual(FIRST_WINDOW);
});
