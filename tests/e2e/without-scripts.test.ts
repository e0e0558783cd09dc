import { expect, test } from '#tests/support/fixtures.ts';

test.use({ javaScriptEnabled: false });

test('a page says what it needs instead of showing placeholders', async ({ page }) => {
  for (const path of ['/cart', '/account']) {
    await page.goto(path);
    await expect(page.locator('.needs-script')).toBeVisible();
    await expect(page.locator('[data-skeleton]').filter({ visible: true })).toHaveCount(0);
  }
  await page.goto('/search');
  const search = page.getByRole('searchbox', { name: 'Search products' });
  await search.fill('mango');
  await search.press('Enter');
  await expect(page).toHaveURL('/search?q=mango');
  await expect(page.getByRole('link', { name: 'browse all products' })).toBeVisible();
});

test('neither a password nor a message is sent or comes into the address', async ({ page }) => {
  for (const [path, button] of [
    ['/login', 'Sign in'],
    ['/contact', 'Send Message'],
  ] as const) {
    await page.goto(path);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    const fields = page.locator('main input:not([type=checkbox]), main textarea').filter({ visible: true });
    for (const field of await fields.all()) await field.fill('asha@example.in');
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByLabel('Email').press('Enter');
    await page.getByLabel('Email').fill('meera@example.in');
    await expect(page).toHaveURL(path);
    expect(sent).toEqual([]);
  }
});
