import type { Locator, Page } from 'playwright/test';
import type { ShopClient } from './shop-client.ts';

/** The card of the category's sixth product, which is below what a phone shows at first. */
export async function cardFarDown(page: Page, api: ShopClient, category: string): Promise<Locator> {
  const ofCategory = (await api.products()).filter((product) => product.category === category);
  const name = ofCategory[5]?.name ?? '';
  return page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name, exact: true }) });
}
