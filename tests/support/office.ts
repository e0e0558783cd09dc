import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright/test';
import type { Role } from '#scripts/api/office/roles.ts';
import { randomIds } from '#scripts/api/shop/ids.ts';
import { addStaff } from '#scripts/api/staff/command.ts';
import { systemClock } from '#scripts/program/clock.ts';
import { API_ORIGIN } from './api-address.ts';
import type { Shop } from './fixtures.ts';

/** The office as browsers reach it. */
export const OFFICE_URL = `${API_ORIGIN}/office`;

export const OFFICE_PASSWORD = 'mangoes before monsoon';

/** Adds somebody to the staff. @returns the email, and the link for the password */
export async function addToStaff({ api }: Shop, role: Role): Promise<{ email: string; link: string }> {
  const email = `${role}.${randomUUID().slice(0, 8)}@example.com`;
  const tools = { db: api.db, clock: systemClock, ids: randomIds, origin: API_ORIGIN };
  return { email, link: await addStaff(tools, email, role, `The ${role}`) };
}

/** Adds somebody to the staff and signs them in, in this page. @returns the email */
export async function enterOffice(page: Page, shop: Shop, role: Role): Promise<string> {
  const { email, link } = await addToStaff(shop, role);
  await page.goto(link);
  await page.getByLabel('New password').fill(OFFICE_PASSWORD);
  await page.getByRole('button', { name: 'Choose this password' }).click();
  await page.waitForURL(OFFICE_URL);
  return email;
}
