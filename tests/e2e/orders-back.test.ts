import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { expectHiddenOnReturn, goBack, watchReturn } from '#tests/support/back.ts';
import { ORDERS } from '#tests/support/checkout.ts';
import { expect, test } from '#tests/support/fixtures.ts';

test.use({ backForwardCache: true });

test('[fault 44] after a sign-out Back shows no order', async ({ page, api, context, signedInShopper }) => {
  const { id } = await api.order(signedInShopper);
  await page.goto('/orders');
  await expect(page.getByRole('heading', { name: `#${id}` })).toBeVisible();
  await expectHiddenOnReturn(page, context, id);
});

test('[fault 6] leaving the page ends what it asked for, also where the page is kept for Back', async ({
  page,
  signedInShopper: _,
}) => {
  // The server is asked: a browser's tools call every request failed whose page is left, also one that goes on.
  const answers: ServerResponse[] = [];
  const hanging = createServer((_request, response) => answers.push(response)).listen(0, '127.0.0.1');
  await once(hanging, 'listening');
  const address = hanging.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  await page.route(ORDERS, (route) => route.continue({ url: `http://127.0.0.1:${port}/orders` }));
  await page.goto('/orders');
  await expect.poll(() => answers.length).toBe(1);
  const shown = await watchReturn(page);
  await page.goto('/contact');
  await expect.poll(() => answers[0]?.destroyed).toBe(true);
  await goBack(page);
  await expect(page).toHaveURL('/orders');
  await expect.poll(shown).toContain('Back: ');
  hanging.closeAllConnections();
  hanging.close();
});
