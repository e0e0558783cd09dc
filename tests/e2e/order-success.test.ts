import { expectNoAxeFindings } from '#tests/support/axe.ts';
import { expect, test } from '#tests/support/fixtures.ts';

test('[spec 2.success.1, 2.success.2, 2.success.3] an order is thanked for, with the ways on', async ({
  page,
}) => {
  await page.goto('/order-success');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank You for Your Order!');
  const main = page.getByRole('main');
  await expect(main).toContainText('An email with the order details will be sent to you.');
  await expect(main.getByRole('link', { name: 'View My Orders' })).toHaveAttribute('href', '/orders');
  await expect(main.getByRole('link', { name: 'Continue Shopping' })).toHaveAttribute('href', '/');
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  await expectNoAxeFindings(page);
});
