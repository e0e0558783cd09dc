import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { FAILED_REQUEST } from '#tests/support/console-guard.ts';
import { expect, test } from '#tests/support/fixtures.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ASTRO = fileURLToPath(new URL('../../node_modules/astro/bin/astro.mjs', import.meta.url));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

test('the development server shows the same shop, with the same scripts', async ({
  page,
  api,
  shop,
  allowConsoleErrors,
}) => {
  // The API's CORS list does not contain this test's address.
  allowConsoleErrors(FAILED_REQUEST, /CORS policy/);
  const port = await freePort();
  const server = spawn(process.execPath, [ASTRO, 'dev', '--host', '127.0.0.1', '--port', String(port)], {
    cwd: ROOT,
    env: {
      ...process.env,
      NODE_ENV: 'development',
      PUBLIC_API_HOST: shop.apiUrl,
      ASTRO_DEV_BACKGROUND: '0',
      ASTRO_TELEMETRY_DISABLED: '1',
    },
    stdio: 'ignore',
  });
  try {
    const address = `http://127.0.0.1:${port}`;
    await expect
      .poll(() =>
        fetch(address).then(
          ({ ok }) => ok,
          () => false,
        ),
      )
      .toBe(true);

    await page.goto(`${address}/products`);
    const add = page.getByRole('button', { name: /^Add .* to cart$/ }).first();
    await add.click();
    await expect(page.getByRole('link', { name: 'Cart, 1 item' }).first()).toBeVisible();
    await page.goto(`${address}/products?category=berries`);
    await expect(page.getByRole('heading', { level: 1, name: 'Berries' })).toBeVisible();
    await expect(page.locator('[data-listing-cards] .card').first()).toBeVisible();

    const { id, name } = await api.product(({ sizes, price }) => sizes.length === 0 && price > 0);
    await page.goto(`${address}/product/${id}`);
    await page.getByRole('button', { name: 'Increase quantity' }).click();
    await page.getByRole('button', { name: 'Add to Cart' }).first().click();
    await expect(page).toHaveURL(`${address}/cart`);
    await expect(page.getByRole('link', { name })).toBeVisible();
  } finally {
    if (server.kill()) await once(server, 'close');
  }
});
