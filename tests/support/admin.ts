import { randomUUID } from 'node:crypto';
import { expect, type Page } from 'playwright/test';
import type { Role } from '#server/admin/roles.ts';
import { systemClock } from '#server/process/clock.ts';
import { readSettings } from '#server/settings/settings.ts';
import { inviteStaffMember } from '#server/staff/command.ts';
import { API_ORIGIN } from './api-address.ts';
import type { Services } from './fixtures.ts';
import { expectNoAxeFindings, hiddenParts } from './page-checks.ts';

/** The admin as browsers reach it. */
export const ADMIN_URL = `${API_ORIGIN}/admin`;

const ADMIN_PASSWORD = 'mangoes before monsoon';

/** Adds a staff member. @returns the email, and the link for the password */
export async function addToStaff({ api }: Services, role: Role): Promise<{ email: string; link: string }> {
  const email = `${role}.${randomUUID().slice(0, 8)}@example.com`;
  const tools = {
    db: api.db,
    clock: systemClock,
    settings: readSettings({ DATABASE: ':memory:' }),
    apiOrigin: API_ORIGIN,
  };
  return { email, link: await inviteStaffMember(tools, email, role, `The ${role}`) };
}

/** Adds a staff member and signs in, in this page. @returns the email */
export async function enterAdmin(page: Page, shop: Services, role: Role): Promise<string> {
  const { email, link } = await addToStaff(shop, role);
  await page.goto(link);
  await page.getByLabel('New password').fill(ADMIN_PASSWORD);
  await page.getByRole('button', { name: 'Choose this password' }).click();
  await page.waitForURL(ADMIN_URL);
  return email;
}

/** The width of an email of 30 characters, in px. Tables may break only wider words. */
const WHOLE = 290;

/** Returns what tables break: words that would fit, dates, states and buttons. Stored values may break. */
const brokenInTables = (page: Page): Promise<string[]> =>
  page.locator('td').evaluateAll((cells, whole) => {
    const linesOf = (range: Range) => {
      const rects = [...range.getClientRects()].filter(({ width }) => width > 1);
      return {
        count: new Set(rects.map(({ bottom }) => Math.round(bottom))).size,
        width: rects.reduce((sum, { width }) => sum + width, 0),
      };
    };
    const rangeOf = (node: Node, from: number, to: number): Range => {
      const range = document.createRange();
      range.setStart(node, from);
      range.setEnd(node, to);
      return range;
    };
    const isBroken = (range: Range): boolean => {
      const { count, width } = linesOf(range);
      return count > 1 && width <= whole;
    };
    return cells
      .filter((cell) => cell.checkVisibility())
      .flatMap((cell) => {
        const found: string[] = [];
        const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
        for (let node = texts.nextNode(); node; node = texts.nextNode()) {
          const text = node.textContent ?? '';
          const isStored = node.parentElement?.closest('[data-stored]');
          // An id may go on in the next line after a hyphen.
          for (const { 0: word, index } of isStored ? [] : text.matchAll(/[^\s-]+-*/g))
            if (isBroken(rangeOf(node, index, index + word.length))) found.push(word);
        }
        for (const one of cell.querySelectorAll('time, b, button, [class*=whitespace-nowrap]'))
          if (isBroken(rangeOf(one, 0, one.childNodes.length))) found.push(one.textContent);
        return found;
      });
  }, WHOLE);

/** Expects that the open page's tables break no word that fits, and make it no wider, at any width. */
async function expectWholeWords(page: Page): Promise<void> {
  const before = page.viewportSize();
  for (const width of [360, 768, 1240]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), 'px').toBeLessThanOrEqual(width);
    expect(await brokenInTables(page), `broken at ${width} px`).toEqual([]);
  }
  if (before) await page.setViewportSize(before);
}

/** Expects that axe finds nothing on the open page, and that it fits a phone and a desktop, light and dark. */
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
  await page.setViewportSize({ width: 320, height: 180 });
  expect(await page.evaluate(hiddenParts)).toEqual([]);
  if (before) await page.setViewportSize(before);
  await expectWholeWords(page);
}
