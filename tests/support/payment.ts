import type { Page, Route } from 'playwright/test';
import { API } from './api-address.ts';
import type { ShopClient, SignedIn } from './shop-client.ts';

export const PAYMENT_FAILED = 'Failed to process payment. Please try again later.';
export const payNow = (page: Page) => page.getByRole('button', { name: 'Pay Now' });

/** Opens the payment page of a new order, and returns the order's id. */
export async function openPayment(page: Page, api: ShopClient, shopper: SignedIn): Promise<string> {
  const { id } = await api.order(shopper);
  await page.goto(`/payment?orderId=${id}`);
  return id;
}

/** Answers GET /payments/fields and POST /payments in place of the API. Returns the bodies that are posted. */
export async function replacePayments(
  page: Page,
  { fields, answer }: { fields?: unknown; answer?: unknown },
): Promise<unknown[]> {
  const sent: unknown[] = [];
  if (fields !== undefined)
    await page.route(`${API}/payments/fields`, (route) =>
      route.fulfill({ contentType: 'application/json', body: JSON.stringify(fields) }),
    );
  if (answer !== undefined) {
    await page.route(`${API}/payments`, (route: Route) => {
      if (route.request().method() !== 'POST') return route.continue();
      sent.push(route.request().postDataJSON());
      return route.fulfill({ json: answer });
    });
  }
  return sent;
}
