import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from '#tests/support/fixtures.ts';
import { freePort } from '#tests/support/free-port.ts';
import { hold } from '#tests/support/page.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

test.slow();

test('npm run dev shows the same shop and can be stopped', async ({ page, allowConsoleErrors }) => {
  // Only a build has one.
  allowConsoleErrors(/build-info\.json/);
  const [port, apiPort] = [await freePort(), await freePort()];
  const address = `http://127.0.0.1:${port}`;
  const apiAddress = `http://localhost:${apiPort}/api/v1/products`;
  const program = ['scripts/start/dev.ts', `--port=${port}`, `--api-port=${apiPort}`];
  const { PUBLIC_API_HOST, SITE_ORIGIN, HOST, ...env } = process.env;
  const server = spawn(process.execPath, program, {
    cwd: ROOT,
    env: {
      ...env,
      NODE_ENV: 'development',
      DATABASE: ':memory:',
      ASTRO_DEV_BACKGROUND: '0',
      ASTRO_TELEMETRY_DISABLED: '1',
    },
    stdio: 'ignore',
  });
  try {
    // Code is compiled when it is first needed, however long that takes.
    for (const each of [address, apiAddress])
      await expect.poll(() => answers(each), { timeout: 0 }).toBe(true);

    await page.goto(`${address}/products`);
    const add = page.getByRole('button', { name: /^Add .* to cart$/ }).first();
    await add.click();
    await page.getByRole('link', { name: 'Cart, 1 item' }).first().waitFor();
    await page.goto(`${address}/products?category=berries`);
    await expect(page.getByRole('heading', { level: 1, name: 'Berries' })).toBeVisible();
    await page.locator('[data-listing-cards] .card').first().waitFor();

    // Tests CORS too: a forbidden response would be reported as no response.
    // A tap before hydration marks the button. React must not report that as a mismatch.
    const letIn = await hold(page, /\/RegisterForm\.tsx/);
    await page.goto(`${address}/register`, { waitUntil: 'commit' });
    await page.getByRole('button', { name: 'Create account' }).click();
    letIn();
    await page.getByRole('link', { name: 'First name must be at least 2 characters' }).waitFor();
    const password = 'mangoes-in-may';
    const account = { firstName: 'Asha', lastName: 'Rao', email: 'asha@example.com', password };
    for (const [id, text] of Object.entries({ ...account, confirmPassword: password }))
      await page.locator(`#${id}`).fill(text);
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page).toHaveURL(`${address}/`);
    await expect(page.getByText('Account created successfully.')).toBeVisible();
    // An open page would log errors about the stopped server.
    await page.goto('about:blank');
  } finally {
    if (server.kill('SIGINT')) await once(server, 'close');
    expect(await answers(address)).toBe(false);
    expect(await answers(apiAddress)).toBe(false);
  }
});
