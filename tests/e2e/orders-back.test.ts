import { expect, test } from '#tests/support/fixtures.ts';

test.use({ backForwardCache: true });

test('[fault 44] after a sign-out Back shows no order', async ({ page, api, context, signedInShopper }) => {
  const { id } = await api.order(signedInShopper);
  await page.goto('/orders');
  await expect(page.getByRole('heading', { name: `#${id}` })).toBeVisible();
  await page.evaluate(() => {
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) sessionStorage.setItem('back', `Back: ${document.querySelector('main')?.innerText}`);
    });
  });
  await page.goto('/contact');
  await context.clearCookies();
  // `page.goBack` fails where the page that comes back leaves at once.
  await page.evaluate(() => history.back());
  await expect(page).toHaveURL(/\/login$/);
  const shown = await page.evaluate(() => sessionStorage.getItem('back'));
  expect(shown).toContain('Back: ');
  expect(shown).not.toContain(id);
});
