import { expect, test } from '#tests/support/fixtures.ts';

const PUBLIC = ['/', '/products', '/cart', '/track-order', '/contact', '/terms', '/login', '/register'];

test('[spec 6.roles.1, 6.roles.2] whoever has not signed in can open every public screen', async ({
  page,
  api,
}) => {
  const { id } = await api.product(({ price }) => price > 0);
  for (const path of [...PUBLIC, `/product/${id}`]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(path);
  }
});

test('[spec 9.limits.2] below 768 px it is a phone’s page, from there on a desktop’s', async ({ page }) => {
  const bar = page.getByRole('navigation', { name: 'Quick links' });
  await page.setViewportSize({ width: 767, height: 900 });
  await page.goto('/');
  await expect(bar).toBeVisible();
  await page.setViewportSize({ width: 768, height: 900 });
  await expect(bar).toBeHidden();
});
