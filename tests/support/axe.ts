import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { expect, type Page } from 'playwright/test';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

declare const axe: { run(context: Document, options: object): Promise<AxeResults> };

/**
 * Expects that axe finds nothing on the page in its present state: WCAG 2.2 AA and best practice.
 * @param rules the only ones to check; all, if none is named
 */
export const expectNoAxeFindings = async (page: Page, ...rules: string[]): Promise<void> => {
  // It is half a megabyte, so a page that has it keeps it.
  if (await page.evaluate(() => typeof axe === 'undefined')) await page.evaluate(source);
  const findings = await page.evaluate(async (runOnly) => {
    const only = runOnly.length > 0 ? { runOnly } : {};
    const { violations } = await axe.run(document, { resultTypes: ['violations'], ...only });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  }, rules);
  expect(findings, 'what axe finds').toEqual([]);
};
