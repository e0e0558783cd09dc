import { API } from '#tests/support/api-address.ts';
import { expect, test } from '#tests/support/fixtures.ts';

const LISTING = `${API}/products?*`;

test('[fault 6] a list that hangs is given up within 25 s, with a way to try again', async ({
  page,
  api,
}) => {
  const opened = new Date('2026-01-05T10:00:00Z');
  const { parentCategory } = await api.product(({ price }) => price > 0);
  await page.clock.install({ time: opened });
  await page.route(LISTING, () => {
    // never answered
  });
  await page.goto(`/products?parentCategory=${encodeURIComponent(`${parentCategory} of another build`)}`);
  await page.clock.pauseAt(opened.getTime() + 60_000);
  const failure = page.getByText('Failed to load products. Please try again.');
  for (let second = 0; second < 25 && !(await failure.isVisible()); second += 1)
    await page.clock.runFor(1_000);
  await expect(failure).toBeVisible();
  await expect(
    page.getByRole('button', { name: 'Try Again' }).or(page.getByRole('link', { name: 'Try Again' })),
  ).toBeVisible();
});

test('[fault 32] storage wiped while the cart is open leaves a cart that works', async ({
  page,
  filledCart,
}) => {
  await page.goto('/cart');
  await expect(page.getByText(filledCart[0]?.name ?? '').first()).toBeVisible();
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.getByRole('button', { name: 'Increase quantity' }).click();
  const kept = page.getByRole('textbox', { name: 'Quantity' });
  const empty = page.getByRole('heading', { name: 'Your cart is empty' });
  await expect(kept.or(empty)).toBeVisible();
  await page.reload();
  await expect(kept.or(empty)).toBeVisible();
});
