import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from '#tests/support/fixtures.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

test('npm run dev shows the same shop, with the same scripts and an API of its own', async ({
  page,
  api,
  allowConsoleErrors,
}) => {
  test.slow();
  // A release has it, what is being developed has not.
  allowConsoleErrors(/build-info\.json/);
  const [port, apiPort] = [await freePort(), await freePort()];
  const server = spawn(process.execPath, ['scripts/dev.ts', `--port=${port}`, `--api-port=${apiPort}`], {
    cwd: ROOT,
    env: { ...process.env, DATABASE: ':memory:' },
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
    // Else the page would still ask a server that is gone.
    await page.goto('about:blank');
    if (server.kill()) await once(server, 'close');
  }
});
