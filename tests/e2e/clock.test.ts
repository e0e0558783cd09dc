import { formatOrderDate } from '#domain/date.ts';
import { expect, test } from '#tests/support/fixtures.ts';
import { orderFrom, payNow } from '#tests/support/page.ts';

const TWO_YEARS_MS = 2 * 365 * 24 * 60 * 60 * 1_000;

test('[fault 22] orders and pays two years ahead', async ({ page, api, signedInShopper, filledCart: _ }) => {
  const ordered = new Date();
  await page.clock.install({ time: ordered.getTime() + TWO_YEARS_MS });
  await orderFrom(page);
  await expect(page).toHaveURL(/\/payment\?orderId=/);
  await payNow(page).click();
  await expect(page.getByRole('timer')).toHaveText(/^Pay within [45]:\d\d$/);
  const link = await page.getByRole('link', { name: 'Open UPI app' }).getAttribute('href');
  await api.answerUpi(link ?? '', 'succeeded');
  await expect(page).toHaveURL('/order-success');

  await page.goto('/orders');
  const order = page.getByRole('article');
  await expect(order).toContainText('Processing');
  await expect(order).toContainText(formatOrderDate(ordered.toISOString()));
  await expect(page.locator('main')).not.toContainText(/invalid|NaN/i);
  expect(await api.orders(signedInShopper)).toHaveLength(1);
});
