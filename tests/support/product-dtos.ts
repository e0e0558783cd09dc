import type { Page } from 'playwright/test';
import { API, API_ORIGIN } from './api-address.ts';

/** A product as the API sends it. A test overrides the fields that it is about. */
export const productDto = (change: Record<string, unknown> = {}) => ({
  id: 'new-1',
  title: 'Test Mango',
  description: 'Sweet.',
  imgUrl: `${API_ORIGIN}/images/mango.webp`,
  category: 'Test Fruits',
  parentCategory: 'Tests',
  regularPrice: 100,
  discountedPrice: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  images: [],
  attributes: [],
  ...change,
});

export type ProductDto = ReturnType<typeof productDto>;

/** Makes the API answer every list of products with these, page by page. Returns the queries of the requests. */
export async function answerProducts(
  page: Page,
  products: readonly ProductDto[],
): Promise<URLSearchParams[]> {
  const queries: URLSearchParams[] = [];
  await page.route(`${API}/products?*`, async (route) => {
    const query = new URL(route.request().url()).searchParams;
    queries.push(query);
    const [number, limit] = [Number(query.get('page')), Number(query.get('limit'))];
    const data = products.slice((number - 1) * limit, number * limit);
    await route.fulfill({ json: { data, pagination: { total: products.length }, count: products.length } });
  });
  return queries;
}

/** Makes the API know this product, which the build does not. */
export const answerProduct = (page: Page, product: ProductDto): Promise<unknown> =>
  page.route(`${API}/products/${product.id}`, (route) => route.fulfill({ json: { data: product } }));

/** Makes every call of the API fail. */
export const failApi = (page: Page): Promise<unknown> =>
  page.route(`${API}/**`, (route) => route.fulfill({ status: 400, json: { error: 'No' } }));
