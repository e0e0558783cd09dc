import type { Page } from 'playwright/test';
import type { ShopClient, SignedIn } from './shop-client.ts';

export const payNow = (page: Page) => page.getByRole('button', { name: 'Pay Now' });

/** Opens the payment page of a new order, and returns the order's id. */
export async function openPayment(page: Page, api: ShopClient, shopper: SignedIn): Promise<string> {
  const { id } = await api.order(shopper);
  await page.goto(`/payment?orderId=${id}`);
  return id;
}
