import type { Page } from 'playwright/test';
import { expect, test } from '#tests/support/fixtures.ts';

/** Ten segments of TCP, which a server sends before it waits for an answer (RFC 6928). */
const FIRST_WINDOW = 10 * 1_460;

async function bytesOf(page: Page, path: string): Promise<number> {
  const response = await page.goto(path);
  const { responseHeadersSize, responseBodySize } = (await response?.request().sizes()) ?? {
    responseHeadersSize: Number.NaN,
    responseBodySize: Number.NaN,
  };
  return responseHeadersSize + responseBodySize;
}

for (const path of ['/', '/products']) {
  test(`${path} comes in one round trip, headers included`, async ({ page }) => {
    expect(await bytesOf(page, path)).toBeLessThanOrEqual(FIRST_WINDOW);
  });
}

test('so does a product', async ({ page, api }) => {
  const { id } = await api.product(({ sizes }) => sizes.length > 1);
  expect(await bytesOf(page, `/product/${id}`)).toBeLessThanOrEqual(FIRST_WINDOW);
});
