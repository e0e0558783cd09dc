import { test } from '#tests/support/fixtures.ts';
import { expectNoShift, watchShifts } from '#tests/support/shifts.ts';

const KIB_A_SECOND = 80;

test('a page that arrives piece by piece moves nothing', async ({ page, api }) => {
  test.slow();
  const product = await api.product(({ price }) => price > 0);
  await watchShifts(page);
  await page.setExtraHTTPHeaders({ 'Accept-Encoding': 'identity' });
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: KIB_A_SECOND * 1024,
    uploadThroughput: KIB_A_SECOND * 1024,
  });
  for (const path of [
    '/contact',
    '/',
    '/products',
    `/product/${product.id}`,
    '/terms',
    '/login',
    '/device',
  ]) {
    await page.goto(path, { waitUntil: 'load' });
    await expectNoShift(page);
  }
});
