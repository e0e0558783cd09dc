import type { Page } from 'playwright/test';
import { expect, test } from '#tests/support/fixtures.ts';

/* What search engines, shopping feeds and shared links are told. */

const structured = (page: Page) =>
  page
    .locator('script[type="application/ld+json"]')
    .evaluateAll((all) => all.map((script) => JSON.parse(script.textContent ?? '')));

test('the feed offers every product at the price of its page', async ({ request, page, api }) => {
  const xml = await (await request.get('/feed.xml')).text();
  const offers = await page.evaluate((text) => {
    const feed = new DOMParser().parseFromString(text, 'text/xml');
    return [...feed.querySelectorAll('item')].map((item) => {
      const read = (name: string) => item.getElementsByTagName(name)[0]?.textContent;
      return { id: read('g:id'), paid: read('g:sale_price') ?? read('g:price'), link: read('link') };
    });
  }, xml);
  const products = await api.products();
  expect(offers).toHaveLength(products.length);
  for (const { id, paid, link } of offers.filter((_, index) => index % 20 === 0)) {
    expect(link).toBe(`https://freshfruits.example/product/${id}`);
    const html = await (await request.get(`/product/${id}`)).text();
    const price = /"price":([\d.]+),"priceCurrency":"INR"/.exec(html)?.[1];
    expect(paid).toBe(`${Number(price).toFixed(2)} INR`);
    expect(paid).toBe(`${products.find((product) => product.id === id)?.price.toFixed(2)} INR`);
  }
});

test('the home page tells who sells and how things go back', async ({ page }) => {
  await page.goto('/');
  expect(await structured(page)).toMatchObject([
    {
      '@type': 'OnlineStore',
      name: 'Fresh Fruits',
      hasMerchantReturnPolicy: {
        applicableCountry: 'IN',
        merchantReturnDays: 7,
        merchantReturnLink: 'https://freshfruits.example/return',
      },
    },
  ]);
});

test('a shared link has a picture that every reader shows', async ({ page, request, api }) => {
  const picture = page.locator('meta[property="og:image"]');
  for (const path of ['/', '/products']) {
    await page.goto(path);
    await expect(picture).toHaveAttribute('content', 'https://freshfruits.example/og.jpg');
  }
  expect((await request.get('/og.jpg')).headers()['content-type']).toBe('image/jpeg');
  const [product] = await api.products();
  await page.goto(`/product/${product?.id}`);
  await expect(picture).toHaveAttribute('content', /^https?:\/\/.+\.(?:webp|jpe?g|png)$/);
});

test('the search is in no search engine', async ({ page, request }) => {
  await page.goto('/search');
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  expect(await (await request.get('/sitemap.xml')).text()).not.toContain('/search');
});
