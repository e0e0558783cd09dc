import { expect, test } from '#tests/support/fixtures.ts';

const KIB_A_SECOND = 80;

for (const width of [360, 1280])
  test(`a page that arrives piece by piece moves nothing, ${width} px wide`, async ({ page, api }) => {
    test.slow();
    const product = await api.product(({ price }) => price > 0);
    await page.setViewportSize({ width, height: 800 });
    await page.addInitScript(() => {
      const moved: unknown[] = [];
      Object.assign(globalThis, { moved });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const { value, sources } = entry as unknown as { value: number; sources: { node: Node | null }[] };
          moved.push([value, ...sources.map(({ node }) => node?.textContent?.trim().slice(0, 40))]);
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
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
      expect([path, await page.evaluate(() => Reflect.get(globalThis, 'moved'))]).toEqual([path, []]);
    }
  });
