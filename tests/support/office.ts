import { randomUUID } from 'node:crypto';
import { expect, type Page } from 'playwright/test';
import type { Role } from '#scripts/api/office/roles.ts';
import { randomIds } from '#scripts/api/shop/ids.ts';
import { addStaff } from '#scripts/api/staff/command.ts';
import { systemClock } from '#scripts/program/clock.ts';
import { API_ORIGIN } from './api-address.ts';
import { expectNoAxeFindings } from './axe.ts';
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

/** Buttons, links and fields that are lower than a thumb needs. Links within a sentence are as high as the sentence. */
const lowControls = (page: Page): Promise<string[]> =>
  page
    .locator('main a, main button, main input:not([type=hidden]), main label.tick')
    .evaluateAll((controls) =>
      controls
        .filter((control) => control.getAttribute('type') !== 'checkbox' && !control.closest('p'))
        .filter((control) => control.getBoundingClientRect().height < 44)
        .map((control) => control.outerHTML),
    );

/** Expects of the page as it stands open that axe finds nothing, and that it is no wider than a phone or a desk, light and dark. */
export async function expectFits(page: Page): Promise<void> {
  const before = page.viewportSize();
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), 'px').toBeLessThanOrEqual(width);
    await expectNoAxeFindings(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectNoAxeFindings(page, 'color-contrast');
    await page.emulateMedia({ colorScheme: null });
  }
  if (before) await page.setViewportSize(before);
}

/** Expects that nothing that is pressed is lower than 44 px. */
export const expectHighControls = async (page: Page): Promise<void> =>
  expect(await lowControls(page), 'lower than 44 px').toEqual([]);
