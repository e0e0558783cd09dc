import type { Page } from 'playwright/test';
import type { Shopper } from './shop-client.ts';

/** Signs in on /login by its button. */
export async function signInHere(
  page: Page,
  { email, password }: Pick<Shopper, 'email' | 'password'>,
): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
