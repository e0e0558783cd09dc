import { paths } from '#paths.ts';
import { expect, FAILED_REQUEST, test } from '#tests/support/fixtures.ts';
import { fillByProgram, replaceTexts } from '#tests/support/other-programs.ts';

test('text typed before hydration stays if a translation has changed the page by then', async ({
  page,
  allowConsoleErrors,
}) => {
  // React reports that it had to render the island again.
  allowConsoleErrors(/#418/);
  await page.route('**/_astro/*.js', async (route) => {
    await page.evaluate(() => Reflect.get(globalThis, 'mayHydrate'));
    await route.continue();
  });
  await page.addInitScript(() => {
    const ready = Promise.withResolvers<void>();
    Object.assign(globalThis, { mayHydrate: ready.promise, hydrate: ready.resolve });
  });
  await page.goto(paths.login, { waitUntil: 'commit' });
  await page.getByLabel('Email').fill('asha@example.com');
  await fillByProgram(page, { password: 'mangoes', rememberMe: 'true' });
  await page.evaluate(replaceTexts);
  await page.evaluate(() => Reflect.get(globalThis, 'hydrate')());
  await expect(page.locator('[data-hydrated=false]')).toHaveCount(0);
  await expect(page.getByLabel('Email')).toHaveValue('asha@example.com');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('mangoes');
  await expect(page.getByRole('checkbox')).toBeChecked();
});

test('an island whose nodes are gone renders again with its texts', async ({ page, allowConsoleErrors }) => {
  allowConsoleErrors(/NotFoundError/, FAILED_REQUEST);
  await page.goto(paths.login);
  await expect(page.locator('[data-hydrated=false]')).toHaveCount(0);
  const breakForm = (): Promise<void> =>
    page.evaluate(() => {
      for (const element of document.querySelectorAll('main form button > span'))
        element.replaceWith(document.createElement('b'));
    });
  await page.getByLabel('Email').fill('nobody@example.com');
  await page.getByLabel('Password', { exact: true }).fill('mangoes');
  await breakForm();
  await page
    .getByRole('button', { name: /^Sign in|^$/ })
    .first()
    .click();
  await expect(page.getByLabel('Email')).toHaveValue('nobody@example.com');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('mangoes');
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Invalid email or password.');
});
